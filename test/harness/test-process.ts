import { createLogger } from '@platen/runtime/log.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'

export interface TestProcess extends ServiceProcess {
  /** Stops as SIGTERM would: loops end, then what was opened is closed, the last first. */
  stop(): Promise<void>
}

/** A service inside the test's own process, started and stopped as `runProcess` does it. */
export function createTestProcess(name: string): TestProcess {
  const abort = new AbortController()
  const closers: (() => unknown)[] = []
  let stopped: Promise<void> | undefined
  return {
    log: createLogger(name, process.env.PLATEN_LOG_LEVEL || 'silent'),
    stopping: abort.signal,
    onStop: (_what, close) => closers.push(close),
    stop() {
      stopped ??= (async () => {
        abort.abort(new Error('test ended'))
        for (const close of closers.toReversed()) await close()
      })()
      return stopped
    },
  }
}
