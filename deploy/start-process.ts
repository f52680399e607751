/**
 * Starts one of Platen's own processes. It has a channel to the launcher, by which it says that it is ready and notices that the
 * launcher is gone, also after a `kill -9`; it then ends by itself. Ctrl-C in the terminal reaches the launcher alone, which stops
 * its processes in order.
 */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { compileCache, root } from './places.ts'
import { openProcessLog } from './process-log.ts'
import { endWith, type RunningProcess, type StartOptions, untilReady } from './running-process.ts'
import { StartupError } from './startup-error.ts'

const READY_LIMIT_MS = 60_000

/** Services give themselves 8 s to drain. */
const STOP_LIMIT_MS = 10_000

export interface NodeProcess {
  name: string
  /** From the root of the repository: `services/main.ts`. */
  script: string
  args?: string[]
  /** On top of the launcher's own. */
  env?: Record<string, string>
  logFile: string
}

/**
 * @returns once the process has sent `{ ready: true }`.
 * @throws StartupError when it ends before, or does not within 60 s.
 */
export async function startProcess(
  { name, script, args = [], env = {}, logFile }: NodeProcess,
  { stopping, onPid }: StartOptions = {},
): Promise<RunningProcess> {
  stopping?.throwIfAborted()
  const log = openProcessLog(logFile)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, OTEL_SERVICE_NAME: `platen-${name}`, ...env },
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
  onPid?.(pid)

  const kill = (signal: NodeJS.Signals) => {
    // Windows knows no SIGTERM: a process that loses its launcher drains there too.
    if (process.platform === 'win32' && signal === 'SIGTERM' && child.connected) child.disconnect()
    else child.kill(signal)
  }
  const running = { name, pid, log, ended, stop: () => endWith(ended, kill, 'SIGTERM', STOP_LIMIT_MS) }
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message && message.ready === true) resolve()
    })
  })
  await untilReady(running, ready, READY_LIMIT_MS, stopping)
  return running
}
