/** The time, injected so that a test can move 60 seconds or 7 days in no time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
