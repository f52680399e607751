/** Creates the data directory with access for its owner only, because it contains a credential and documents. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'

/**
 * An existing directory is unchanged except on Windows, where files inherit the permissions of `%ProgramData%`, which every user can read.
 *
 * @throws Error if the directory cannot be created or its permissions cannot be set.
 */
export function makePrivateDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') return
  const { status, stderr, error } = spawnSync('icacls', icaclsArguments(dir, userInfo().username), { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`icacls could not set the permissions of ${dir}: ${stderr.trim()}`)
}

/** Full access for the system account, administrators and the user, without inherited permissions. */
export function icaclsArguments(dir: string, user: string): string[] {
  const SYSTEM = '*S-1-5-18'
  const ADMINISTRATORS = '*S-1-5-32-544'
  const grants = [SYSTEM, ADMINISTRATORS, user].map((account) => `${account}:(OI)(CI)F`)
  return [dir, '/inheritance:r', '/grant:r', ...grants]
}
