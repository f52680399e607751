/**
 * A timer is a `sweep()` that looks for what is due, and this loop around it. A test runs one sweep at a time of its choosing.
 * Every replica sweeps: a sweep guards what it changes by the state that it expects, so two at once do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from './process.ts'

/** Of the time that a sweep took. */
const REST_FACTOR = 20

export interface Timer {
  name: string
  /** From the end of one sweep to the start of the next. */
  everyMs: number
  /** For a sweep that reads all unfinished work: it takes at most a twentieth of the time, however much that is. */
  readsAll?: boolean
  sweep: () => Promise<unknown>
}

/** Registers a timer with the process, which runs `sweep` every `everyMs` until it stops. */
export function startTimer(
  service: ServiceProcess,
  name: string,
  everyMs: number,
  sweep: Timer['sweep'],
  options: Pick<Timer, 'readsAll'> = {},
): void {
  service.runTimer({ name, everyMs, sweep, ...options })
}

/** Runs the timer in a loop. A sweep that fails is logged and tried again at the next turn. */
export function runInLoop(service: ServiceProcess, { name, everyMs, readsAll, sweep }: Timer): void {
  const loop = async () => {
    while (!service.stopping.aborted) {
      const startedAt = performance.now()
      try {
        await sweep()
      } catch (error) {
        service.log.error({ err: error, timer: name }, 'sweep failed')
      }
      const restMs = readsAll ? REST_FACTOR * (performance.now() - startedAt) : 0
      await sleep(Math.max(everyMs, restMs), undefined, { signal: service.stopping }).catch(ignoreAbort)
    }
  }
  const ended = loop()
  service.onStop(`timer ${name}`, () => ended)
}

export interface Rest {
  /** There is work: the rest that goes on ends, or the next one. */
  wake(): void
  /** To be called before one looks for work: whatever woke until now is about to be seen. */
  beforeLook(): void
  /** At most so long, and not at all after a wake since `beforeLook`. */
  rest(ms: number): Promise<void>
}

/** Between two looks for work of which a wake may tell. @param stopping ends every rest. */
export function createRest(stopping: AbortSignal): Rest {
  let wakeUp: () => void = () => undefined
  let woken = false
  stopping.addEventListener('abort', () => wakeUp(), { once: true })
  return {
    wake() {
      woken = true
      wakeUp()
    },
    beforeLook() {
      woken = false
    },
    async rest(ms) {
      if (woken || stopping.aborted) return
      // Without an AbortController, since the exception of each abort cost 2 % of a busy process.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

/** @returns what is promised, or undefined when it takes longer. */
export async function atMost<T>(ms: number, promised: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal }).catch(ignoreAbort)
  return await Promise.race([promised, late.then(() => undefined)]).finally(() => over.abort())
}

/** For waits that end early when the process stops: not a failure. */
export function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
