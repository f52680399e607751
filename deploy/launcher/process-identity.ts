/** Distinguishes a process from a later one with the same pid. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * @returns a text that is unique to the process (except on Windows); undefined if no process has the pid, or only a
 *   zombie.
 */
export function identify(pid: number): string | undefined {
  if (process.platform === 'linux') return identifyByProc(pid)
  if (process.platform === 'win32') return isRunning(pid) ? 'running' : undefined
  const [state, ...startedAt] = ps(pid, 'stat=,lstart=').split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : startedAt.join(' ')
}

/** Signals a process unless it has ended. */
export function signalProcess(pid: number, identity: string, signal: NodeJS.Signals): void {
  if (identify(pid) !== identity) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** @returns the command line of a process; empty if it does not exist. Not for Linux. */
export function readCommandLine(pid: number): string {
  return process.platform === 'win32' ? '' : ps(pid, 'command=')
}

/**
 * @returns the current directory of a process; empty if it does not exist or belongs to another user. Only for Linux.
 */
export function readWorkingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(String(error.code))
    )
      return ''
    throw error
  }
}

/**
 * proc_pid_stat(5): the 3rd field is the state, the 22nd the start time. The name in parentheses can contain any
 * character.
 */
function identifyByProc(pid: number): string | undefined {
  const stat = readProc(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  return !state || 'ZX'.includes(state) ? undefined : startTime
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return ''
    throw error
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch (error) {
    // ps exits with 1 if no process has the pid.
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EPERM'
    throw error
  }
}
