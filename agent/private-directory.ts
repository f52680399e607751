/** A directory that nobody but its owner may look into: the data directory has a credential in it, and documents. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'

/**
 * Left as it is where it exists, but on Windows: there files inherit the rights of the directories above, and `%ProgramData%` lets
 * every user read.
 *
 * @throws Error when it cannot be made, or its rights cannot be set.
 */
export function makePrivateDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') return
  const { status, stderr, error } = spawnSync('icacls', icaclsArguments(dir, userInfo().username), { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`icacls could not set the rights of ${dir}: ${stderr.trim()}`)
}

/** Full rights for the system, which services run as, administrators and this user, and for nobody by inheritance. */
export function icaclsArguments(dir: string, user: string): string[] {
  const SYSTEM = '*S-1-5-18'
  const ADMINISTRATORS = '*S-1-5-32-544'
  const grants = [SYSTEM, ADMINISTRATORS, user].map((who) => `${who}:(OI)(CI)F`)
  return [dir, '/inheritance:r', '/grant:r', ...grants]
}
