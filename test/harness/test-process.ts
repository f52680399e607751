import { createDiagnostics } from '@platen/runtime/diagnostics.ts'
import { createLogger, type Logger } from '@platen/runtime/log.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { createReadiness } from '@platen/runtime/readiness.ts'
import { networkRpc } from '@platen/runtime/rpc/network.ts'
import { createOperatorCalls } from '@platen/runtime/rpc/operator-calls.ts'
import { runInLoop } from '@platen/runtime/timers.ts'

/**
 * A stopping gateway keeps idle connections open for 5 % of it. Shorter than in production, so that tests do not wait.
 */
const DRAIN_MS = 400

export interface TestProcess extends ServiceProcess {
  /** Stops like SIGTERM: ends loops, then calls the close functions in reverse order. */
  stop(): Promise<void>
}

export interface TestProcessOptions
  extends Partial<Pick<ServiceProcess, 'runTimer' | 'rpc' | 'operatorCalls' | 'drainMs'>> {
  log?: Logger
}

/** A service in the process of the test, started and stopped like by `runProcess`. */
export function createTestProcess(name: string, options: TestProcessOptions = {}): TestProcess {
  const abort = new AbortController()
  const closers: (() => unknown)[] = []
  let stopped: Promise<void> | undefined
  const service: TestProcess = {
    name,
    log: options.log ?? createLogger(name, process.env.PLATEN_LOG_LEVEL || 'silent'),
    stopping: abort.signal,
    onStop: (_what, close) => closers.push(close),
    runTimer: options.runTimer ?? ((timer) => runInLoop(service, timer)),
    rpc: options.rpc ?? networkRpc,
    drainMs: options.drainMs ?? DRAIN_MS,
    readiness: createReadiness(abort.signal),
    diagnostics: createDiagnostics(name),
    operatorCalls: options.operatorCalls ?? createOperatorCalls(() => true),
    stop() {
      stopped ??= (async () => {
        abort.abort(new Error('test ended'))
        for (const close of closers.toReversed()) await close()
      })()
      return stopped
    },
  }
  return service
}
