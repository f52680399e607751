/** The time, injected so that a test can move 60 seconds or 7 days in no time. */
export interface Clock {
  now(): Date
  /** Milliseconds of a clock that is never set back. Only differences have a meaning. */
  monotonicMs(): number
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() }
