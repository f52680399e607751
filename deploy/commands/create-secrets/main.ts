/**
 * `platen-server create-secrets`: prints the Secrets of a new installation on Kubernetes, for `kubectl create -f -`. `--database URL` adds one for
 * the role of each service in PostgreSQL.
 */
import { parseArgs } from 'node:util'
import { createSecrets } from '../../launcher/secrets.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { runCommand } from '../run-command.ts'
import { renderDatabaseSecrets, renderSecret, toSecretData } from './manifest.ts'

const USAGE = 'Usage: platen-server create-secrets [--database postgresql://platen_*@HOST/DATABASE]'

function readDatabase(args: string[]): URL | undefined {
  try {
    const { database } = parseArgs({ args, options: { database: { type: 'string' } } }).values
    const url = database === undefined ? undefined : new URL(database)
    if (!url || (/^postgres(ql)?:$/.test(url.protocol) && url.username === 'platen_*' && !url.password)) return url
  } catch {
    // The usage says more than the cause.
  }
  throw new StartupError(USAGE)
}

await runCommand(async (args) => {
  const database = readDatabase(args)
  const documents = [renderSecret('platen-secrets', toSecretData(createSecrets()))]
  return [...documents, ...(database ? renderDatabaseSecrets(database) : [])].join('\n---\n')
})
