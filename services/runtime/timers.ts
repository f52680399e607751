/**
 * A timer is a `sweep()` that processes due work, and a loop that calls it. Tests run single sweeps. Sweeps of several
 * replicas can run concurrently, because a sweep guards each change by the expected state.
 */
import type { ServiceProcess } from './process.ts'
import { pause } from './retry.ts'

/** Minimum interval after a sweep that reads all unfinished work, as a multiple of its duration. */
const IDLE_FACTOR = 20

export interface Timer {
  name: string
  /** From the end of one sweep to the start of the next. */
  everyMs: number
  /** The sweep reads all unfinished work. The loop then spends at most a twentieth of the time in it. */
  readsAll?: boolean
  sweep: () => Promise<unknown>
}

/** Registers a timer with the process, which runs `sweep` every `everyMs` until it stops. */
export function startTimer(
  service: Pick<ServiceProcess, 'runTimer'>,
  name: string,
  everyMs: number,
  sweep: Timer['sweep'],
  options: Pick<Timer, 'readsAll'> = {},
): void {
  service.runTimer({ name, everyMs, sweep, ...options })
}

/**
 * Runs the timer in a loop. A failed sweep is logged and retried after the interval. The second sweep comes at a random
 * time within the interval: timers that started together would otherwise need a connection of the database each, again
 * and again.
 */
export function runInLoop(service: ServiceProcess, { name, everyMs, readsAll, sweep }: Timer): void {
  const loop = async () => {
    for (let share = Math.random(); !service.stopping.aborted; share = 1) {
      const startedAt = performance.now()
      try {
        await sweep()
      } catch (error) {
        service.log.error({ err: error, timer: name }, 'sweep failed')
      }
      const idleMs = readsAll ? IDLE_FACTOR * (performance.now() - startedAt) : 0
      await pause(Math.max(share * everyMs, idleMs), service.stopping)
    }
  }
  const ended = loop()
  service.onStop(`timer ${name}`, () => ended)
}

export interface IdleWait {
  /** Ends the current wait, or the next one if none is active. */
  wake(): void
  /** Discards earlier wakes. Call it before a poll, which finds the work of those wakes. */
  beforePoll(): void
  /** Waits at most `ms`. Returns at once if `wake` was called since `beforePoll`. */
  idle(ms: number): Promise<void>
}

/** The interruptible wait between two polls for work. @param stopping ends every wait. */
export function createIdleWait(stopping: AbortSignal): IdleWait {
  let wakeUp: () => void = () => undefined
  let woken = false
  return {
    wake() {
      woken = true
      wakeUp()
    },
    beforePoll() {
      woken = false
    },
    async idle(ms) {
      if (woken || stopping.aborted) return
      // No AbortController, because the exceptions of aborts take 2 % of the CPU time of a busy process.
      const { promise, resolve } = Promise.withResolvers<void>()
      wakeUp = resolve
      const timer = setTimeout(resolve, ms)
      const stop = () => resolve()
      stopping.addEventListener('abort', stop)
      await promise
      clearTimeout(timer)
      // A listener would keep the signal of a call, which ends before its process, in memory.
      stopping.removeEventListener('abort', stop)
    },
  }
}

/** @returns the result, or undefined after `ms`. */
export async function withTimeout<T>(ms: number, promised: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController()
  return await Promise.race([promised, pause(ms, ended.signal).then(() => undefined)]).finally(() => ended.abort())
}
