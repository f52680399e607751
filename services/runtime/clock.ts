/** The time, injected so that tests can advance it. */
export interface Clock {
  now(): Date
  /** Milliseconds of a monotonic clock. Only differences are meaningful. */
  monotonicMs(): number
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() }
