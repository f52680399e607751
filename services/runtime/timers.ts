/**
 * A timer is a `sweep()` that looks for what is due, and this loop around it. A test runs one sweep at a time of its choosing.
 * Every replica sweeps: a sweep guards what it changes by the state that it expects, so two at once do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from './process.ts'

/**
 * Runs `sweep` again and again, `everyMs` after the end of the last run, until the process stops. A failing sweep is logged
 * and tried again at the next turn.
 */
export function startTimer(
  service: ServiceProcess,
  name: string,
  everyMs: number,
  sweep: () => Promise<unknown>,
): void {
  const loop = async () => {
    while (!service.stopping.aborted) {
      try {
        await sweep()
      } catch (error) {
        service.log.error({ err: error, timer: name }, 'sweep failed')
      }
      await sleep(everyMs, undefined, { signal: service.stopping }).catch(ignoreAbort)
    }
  }
  const ended = loop()
  service.onStop(`timer ${name}`, () => ended)
}

/** For waits that end early when the process stops: not a failure. */
export function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
