/**
 * The life of a process: it starts, says that it is ready, and on the first signal to stop closes what it opened, the last
 * first. Called by `services/main.ts`.
 */
import { ConfigError } from './config.ts'
import { createLogger, type Logger } from './log.ts'
import { networkRpc } from './rpc/network.ts'
import type { Rpc } from './rpc/rpc.ts'
import { runInLoop, type Timer } from './timers.ts'

/** Kubernetes and the launcher wait longer than this before they kill. */
const DRAIN_LIMIT_MS = 8_000

export interface ServiceProcess {
  log: Logger
  /** Aborted when the process begins to stop: loops end, waiting callers give up. */
  stopping: AbortSignal
  /** Registers what must be closed. Closed in reverse order, one after the other. */
  onStop(what: string, close: () => Promise<unknown> | unknown): void
  /** Runs a timer until the process stops; called by `startTimer`. A test only registers it, and runs single sweeps. */
  runTimer(timer: Timer): void
  /** How calls between services travel; used by `serveRpc` and `connectRpc`. */
  rpc: Rpc
}

/**
 * Runs a service until SIGTERM, SIGINT or, when a launcher started it, until the launcher is gone. Tells the launcher
 * `{ ready: true }` once `start` has come back. Exits with 0 after a clean drain, with 1 when something did not close in time,
 * and with 78 (EX_CONFIG) when the settings are at fault.
 */
export async function runProcess(name: string, start: (service: ServiceProcess) => Promise<void>): Promise<void> {
  const log = createLogger(name)
  const abort = new AbortController()
  const closers: Closer[] = []

  const stopOnce = (reason: string, exitCode: number) => {
    if (abort.signal.aborted) return
    abort.abort(new Error(reason))
    void drain(log, reason, closers).then((clean) => process.exit(clean ? exitCode : 1))
  }
  process.once('SIGTERM', () => stopOnce('SIGTERM', 0))
  process.once('SIGINT', () => stopOnce('SIGINT', 0))
  process.once('disconnect', () => stopOnce('the launcher is gone', 0))
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    stopOnce('unhandled rejection', 1)
  })

  const service: ServiceProcess = {
    log,
    stopping: abort.signal,
    onStop: (what, close) => closers.push({ what, close }),
    runTimer: (timer) => runInLoop(service, timer),
    rpc: networkRpc,
  }
  try {
    await start(service)
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(error.message)
    else log.fatal({ err: error }, `${name} could not start`)
    stopOnce('start failed', error instanceof ConfigError ? 78 : 1)
    return
  }
  log.info('ready')
  process.send?.({ ready: true })
}

interface Closer {
  what: string
  close: () => unknown
}

/** A service that shares its process with others. It has a log, timers and closers of its own, and is closed as a whole. */
export function createPart(service: ServiceProcess, name: string, rpc: Rpc): ServiceProcess {
  const log = createLogger(name)
  const closers: Closer[] = []
  service.onStop(name, async () => {
    if (!(await closeAll(log, closers))) throw new Error(`${name} did not close cleanly`)
  })
  const part: ServiceProcess = {
    log,
    stopping: service.stopping,
    onStop: (what, close) => closers.push({ what, close }),
    runTimer: (timer) => runInLoop(part, timer),
    rpc,
  }
  return part
}

async function drain(log: Logger, reason: string, closers: Closer[]): Promise<boolean> {
  log.info({ reason }, 'stopping')
  const limit = new Promise<'late'>((resolve) => setTimeout(resolve, DRAIN_LIMIT_MS, 'late').unref())
  const clean = await closeAll(log, closers, limit)
  log.info({ clean }, 'stopped')
  return clean
}

/**
 * Closes in reverse order, also after one has failed.
 *
 * @param limit resolves when no closer is waited for any longer.
 * @returns whether all closed in time.
 */
async function closeAll(log: Logger, closers: Closer[], limit?: Promise<'late'>): Promise<boolean> {
  let clean = true
  for (const { what, close } of closers.toReversed()) {
    const closing = Promise.resolve()
      .then(close)
      .then(
        () => 'closed' as const,
        (error: unknown) => {
          log.error({ err: error, what }, 'closing failed')
          return 'failed' as const
        },
      )
    const outcome = await (limit ? Promise.race([closing, limit]) : closing)
    if (outcome === 'late') log.error({ what }, `did not close within ${DRAIN_LIMIT_MS} ms`)
    if (outcome !== 'closed') clean = false
  }
  return clean
}
