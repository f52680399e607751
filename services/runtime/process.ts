/**
 * Process life cycle: start, readiness, and an ordered drain on the first stop signal. Called by `services/main.ts`.
 */
import { ConfigError } from './config.ts'
import { createDiagnostics, type Diagnostics } from './diagnostics.ts'
import { createLogger, type Logger } from './log.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { networkRpc } from './rpc/network.ts'
import { createOperatorCalls, type OperatorCalls } from './rpc/operator-calls.ts'
import type { Rpc } from './rpc/rpc.ts'
import { runInLoop, type Timer } from './timers.ts'

/** Less than the time after which the launcher kills a process. */
export const DRAIN_MS = 8_000

export interface ServiceProcess {
  /** Its role, for example `jobs`. */
  name: string
  log: Logger
  /** Aborted when the process begins to stop. Ends loops and waits. */
  stopping: AbortSignal
  /** Registers a close function. They are called in reverse order, one after the other. */
  onStop(what: string, close: () => Promise<unknown> | unknown): void
  /** Runs a timer until the process stops. Called by `startTimer`. Tests only register timers and run single sweeps. */
  runTimer(timer: Timer): void
  /** Transport of calls between services. Used by `serveRpc` and `connectRpc`. */
  rpc: Rpc
  /** The time that a stop may take. `services/main.ts` sets it from the settings. */
  drainMs: number
  /** What probes ask for. Services add their dependencies. */
  readiness: Readiness
  /** What operators ask for. Services add their facts. */
  diagnostics: Diagnostics
  /** What operators call. `serveRpc` adds the methods of each service. */
  operatorCalls: OperatorCalls
}

/**
 * Runs a service until SIGTERM, SIGINT or the exit of the launcher that started it. Sends `{ ready: true }` to the
 * launcher after `start`. Exit codes: 0 after a clean drain, 1 if a close function failed or timed out, 78 (EX_CONFIG)
 * for a ConfigError.
 */
export async function runProcess(name: string, start: (service: ServiceProcess) => Promise<void>): Promise<void> {
  const log = createLogger(name)
  const abort = new AbortController()
  const closers: Closer[] = []

  const stopOnce = (reason: string, exitCode: number) => {
    if (abort.signal.aborted) return
    abort.abort(new Error(reason))
    void drain(log, reason, closers, service.drainMs).then((clean) => process.exit(clean ? exitCode : 1))
  }
  // Without a listener a second signal would end the process in mid-drain.
  process.on('SIGTERM', () => stopOnce('SIGTERM', 0))
  process.on('SIGINT', () => stopOnce('SIGINT', 0))
  process.once('disconnect', () => stopOnce('launcher disconnected', 0))
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    stopOnce('unhandled rejection', 1)
  })

  let hasStarted = false
  const service: ServiceProcess = {
    name,
    log,
    stopping: abort.signal,
    onStop: (what, close) => closers.push({ what, close }),
    runTimer: (timer) => runInLoop(service, timer),
    rpc: networkRpc,
    drainMs: DRAIN_MS,
    readiness: createReadiness(abort.signal),
    diagnostics: createDiagnostics(name),
    operatorCalls: createOperatorCalls(() => hasStarted),
  }
  service.readiness.require(async () => {
    if (!hasStarted) throw new Error(`${name} is starting`)
  })
  try {
    await start(service)
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(error.message)
    else log.fatal({ err: error }, `${name} failed to start`)
    stopOnce('start failed', error instanceof ConfigError ? 78 : 1)
    return
  }
  hasStarted = true
  log.info('ready')
  process.send?.({ ready: true })
}

interface Closer {
  what: string
  close: () => unknown
}

/**
 * Part of a process that runs several services. It has its own log, timers and close functions, and is closed as a
 * whole.
 */
export function createPart(service: ServiceProcess, name: string, rpc: Rpc): ServiceProcess {
  const log = createLogger(name)
  const closers: Closer[] = []
  service.onStop(name, async () => {
    if (!(await closeAll(log, closers))) throw new Error(`${name} did not close cleanly`)
  })
  const part: ServiceProcess = {
    name,
    log,
    stopping: service.stopping,
    onStop: (what, close) => closers.push({ what, close }),
    runTimer: (timer) => runInLoop(part, timer),
    rpc,
    drainMs: service.drainMs,
    readiness: createReadiness(service.stopping),
    diagnostics: createDiagnostics(name),
    operatorCalls: service.operatorCalls,
  }
  service.readiness.require(part.readiness.check)
  service.diagnostics.addService(part.diagnostics)
  return part
}

async function drain(log: Logger, reason: string, closers: Closer[], drainMs: number): Promise<boolean> {
  log.info({ reason }, 'stopping')
  const timeout = new Promise<'late'>((resolve) => setTimeout(resolve, drainMs, 'late').unref())
  const clean = await closeAll(log, closers, timeout)
  log.info({ clean }, 'stopped')
  return clean
}

/**
 * Closes in reverse order and continues after failures.
 *
 * @param timeout resolves at the deadline. Remaining close functions are then called, but not awaited.
 * @returns whether all closed in time.
 */
async function closeAll(log: Logger, closers: Closer[], timeout?: Promise<'late'>): Promise<boolean> {
  let clean = true
  for (const { what, close } of closers.toReversed()) {
    const closing = Promise.resolve()
      // Without an argument: `promisify` would pass it on in place of the callback.
      .then(() => close())
      .then(
        () => 'closed' as const,
        (error: unknown) => {
          log.error({ err: error, what }, 'close failed')
          return 'failed' as const
        },
      )
    const outcome = await (timeout ? Promise.race([closing, timeout]) : closing)
    if (outcome === 'late') log.error({ what }, 'did not close in time (PLATEN_DRAIN_SECONDS)')
    if (outcome !== 'closed') clean = false
  }
  return clean
}
