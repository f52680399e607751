/**
 * `platen-server create-secrets`: prints the Secrets of a new installation on Kubernetes, for `kubectl create -f -`. `--database URL` adds one for
 * the role of each service in PostgreSQL, `--nats` one for each user of NATS.
 */
import { parseArgs } from 'node:util'
import { createSecrets } from '../../launcher/secrets.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { runCommand } from '../run-command.ts'
import { renderDatabaseSecrets, renderNatsSecrets, renderSecret, toSecretData } from './manifest.ts'

const USAGE = 'Usage: platen-server create-secrets [--database postgresql://platen_*@HOST/DATABASE] [--nats]'

function readOptions(args: string[]): { url: URL | undefined; nats: boolean } {
  try {
    const options = { database: { type: 'string' }, nats: { type: 'boolean', default: false } } as const
    const { database, nats } = parseArgs({ args, options }).values
    const url = database === undefined ? undefined : new URL(database)
    if (!url || (/^postgres(ql)?:$/.test(url.protocol) && url.username === 'platen_*' && !url.password))
      return { url, nats }
  } catch {
    // The usage says more than the cause.
  }
  throw new StartupError(USAGE)
}

await runCommand(async (args) => {
  const { url, nats } = readOptions(args)
  const documents = [renderSecret('platen-secrets', toSecretData(createSecrets()))]
  return [...documents, ...(url ? renderDatabaseSecrets(url) : []), ...(nats ? renderNatsSecrets() : [])].join(
    '\n---\n',
  )
})
