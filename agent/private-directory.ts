/** Creates the data directory with access for its owner only, because it contains a credential and documents. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { win32 } from 'node:path'

const SYSTEM = 'S-1-5-18'
const ADMINISTRATORS = 'S-1-5-32-544'

/**
 * Prints the ids of the accounts that own the directory and that run this process. Uses no modules, which PowerShell 7
 * can hide from it.
 */
const OWNER_SCRIPT = [
  '[IO.Directory]::GetAccessControl($env:PLATEN_DIRECTORY).GetOwner([Security.Principal.SecurityIdentifier]).Value',
  '[Security.Principal.WindowsIdentity]::GetCurrent().User.Value',
].join('; ')

/**
 * An existing directory is unchanged except on Windows, where files inherit the permissions of `%ProgramData%`: every
 * user can read them and create directories.
 *
 * @throws Error if the directory cannot be created, its permissions cannot be set, or another user of Windows owns it.
 */
export function makePrivateDirectory(dir: string): void {
  const exists = mkdirSync(dir, { recursive: true, mode: 0o700 }) === undefined
  if (process.platform !== 'win32') return
  if (exists) {
    const powershell = ['WindowsPowerShell\\v1.0\\powershell.exe', '-NoProfile', '-NonInteractive', '-Command'] as const
    const [owner = '', user = ''] = runSystemProgram([...powershell, OWNER_SCRIPT], dir).split(/\s+/)
    checkOwner(dir, owner, user)
  }
  runSystemProgram(['icacls.exe', ...icaclsArguments(dir, userInfo().username)], dir)
}

/**
 * The owner of a directory can change its permissions and may have put a configuration into it.
 *
 * @param owner and `user` are security identifiers.
 * @throws Error unless the system, the administrators or the user of this process own the directory.
 */
export function checkOwner(dir: string, owner: string, user: string): void {
  if ([SYSTEM, ADMINISTRATORS, user].includes(owner)) return
  throw new Error(`it belongs to another account (${owner}). Delete ${dir} or move it to another place, and try again`)
}

/** Full access for the system account, administrators and the user, without inherited permissions. */
export function icaclsArguments(dir: string, user: string): string[] {
  const grants = [`*${SYSTEM}`, `*${ADMINISTRATORS}`, user].map((account) => `${account}:(OI)(CI)F`)
  return [dir, '/inheritance:r', '/grant:r', ...grants]
}

/** Runs a program by its path, because Windows searches the current directory first. @returns its output. */
function runSystemProgram([program, ...args]: readonly [string, ...string[]], dir: string): string {
  const path = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', program)
  const env = { ...process.env, PLATEN_DIRECTORY: dir }
  const { status, stdout, stderr, error } = spawnSync(path, args, { encoding: 'utf8', env })
  if (error) throw error
  if (status !== 0) throw new Error(`${win32.basename(program)} failed for ${dir}: ${stderr.trim()}`)
  return stdout
}
