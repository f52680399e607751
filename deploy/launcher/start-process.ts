/**
 * Starts a process of Platen. By an IPC channel, it reports that it is ready and detects the end of the launcher, also
 * after a `kill -9`, after which it ends by itself. Ctrl-C in the terminal signals only the launcher, which stops its
 * processes in order.
 */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { compileCache, root } from '../install/paths.mjs'
import { openProcessLog } from './process-log.ts'
import { endProcess, type RunningProcess, type StartOptions, untilReady } from './running-process.ts'
import { StartupError } from './startup-error.ts'

/**
 * Between two collections the heap may double; by default it may quadruple on a machine with much memory. After 30,000
 * jobs, services hold 303 MB instead of 400 MB, for 2 % more CPU time. With 50 %, they hold 236 MB, for 20 % more.
 */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--heap-growing-percent=100']

const READY_TIMEOUT_MS = 60_000

/** Longer than the drain of a service (8 s). */
const STOP_TIMEOUT_MS = 10_000

export interface NodeProcess {
  name: string
  /** Relative to `directory`, for example `services/main.ts`. */
  script: string
  /** A clone of the repository. Default: this one. */
  directory?: string
  args?: string[]
  /** In addition to the environment of the launcher. */
  env?: Record<string, string>
  logFile: string
}

/**
 * @returns the process when it has sent `{ ready: true }`.
 * @throws StartupError if it ends before or does not send it within 60 s.
 */
export async function startProcess(
  { name, script, directory = root, args = [], env = {}, logFile }: NodeProcess,
  options: StartOptions = {},
): Promise<RunningProcess> {
  options.stopping?.throwIfAborted()
  const log = openProcessLog(logFile)
  const child = spawn(process.execPath, [...NODE_FLAGS, script, ...args], {
    cwd: directory,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
    detached: process.platform !== 'win32',
  })
  closeSync(log.descriptor)
  const { pid } = child
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  if (pid === undefined) throw new StartupError(`${name} could not be started: ${await ended}`)

  const kill = (signal: NodeJS.Signals) => {
    // Windows has no SIGTERM. The process also drains when its channel closes.
    if (process.platform === 'win32' && signal === 'SIGTERM' && child.connected) child.disconnect()
    else child.kill(signal)
  }
  const running = { name, pid, log, ended, stop: () => endProcess(ended, kill, 'SIGTERM', STOP_TIMEOUT_MS) }
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message && message.ready === true) resolve()
    })
  })
  await untilReady(running, ready, READY_TIMEOUT_MS, options)
  return running
}
