import { type Command, InvalidArgumentError } from 'commander'
import { runCommand } from '../run-command.ts'

/**
 * `platen-server create-secrets`: prints the Secrets of a new installation on Kubernetes, for `kubectl create -f -`.
 */
export function addCreateSecrets(program: Command): void {
  program
    .command('create-secrets')
    .description('print the Secrets of a new installation on Kubernetes')
    .option(
      '--database <url>',
      'print one for the role of each service in PostgreSQL: postgresql://platen_*@HOST/DATABASE',
      parseDatabase,
    )
    .option('--nats', 'print one for each user of NATS')
    .action(async ({ database, nats }: { database?: URL; nats?: true }) => {
      const { createSecrets } = await import('../../launcher/secrets.ts')
      const { renderDatabaseSecrets, renderNatsSecrets, renderSecret, toSecretData } = await import('./manifest.ts')
      await runCommand(async () => {
        const documents = [renderSecret('platen-secrets', toSecretData(createSecrets()))]
        if (database) documents.push(...renderDatabaseSecrets(database))
        if (nats) documents.push(...renderNatsSecrets())
        return documents.join('\n---\n')
      })
    })
}

function parseDatabase(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.username === 'platen_*' && !url.password) return url
  throw new InvalidArgumentError('It must be postgresql://platen_*@HOST/DATABASE, without a password.')
}
