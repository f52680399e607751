/**
 * The rate of an endpoint that throttles, which means that it answers 429, or 503 with `Retry-After`. Nothing is sent
 * until the time that the answer names, and then one delivery for each interval, which grows with each throttled
 * attempt and shrinks with each success until the rate needs no limit. `take-due.ts` applies it, `record-outcomes.ts`
 * stores it.
 *
 * A receiver that takes a constant rate gets about 80 % of it, and refuses about one request in ten seconds.
 */
import type { Outcome } from './send.ts'

/** Until the rate of the receiver is known. */
export const INTERVAL_FIRST_MS = 250
export const INTERVAL_MAX_MS = 60_000
/** A shorter interval limits nothing. */
export const INTERVAL_MIN_MS = 2

/** Without `Retry-After`, and at least. */
const PAUSE_MIN_MS = 1_000
/** A receiver that names a later time is asked earlier. */
export const PAUSE_MAX_MS = 5 * 60_000

/** After a success. The rate that the receiver accepts is near. */
const GROWTH = 1.25
/** Without a success since the last failure. */
const GROWTH_AGAIN = 2
/**
 * The rate grows slowly near the last throttled rate, and ever faster: by a quarter in 10 s, twentyfold in 40 s. In
 * square seconds.
 */
const RECOVERY = 250
/**
 * The part by which one success shrinks an interval: at most the half of a long one, and a sixteenth of a short one.
 */
const SHRINK_MAX = { long: 1 / 2, short: 1 / 16 }
/** From half of it an interval is long, in seconds. */
const LONG_S = 2

/** The stored state at the start of an attempt. */
export interface SendRate {
  /** Null: not limited. */
  sendIntervalMs: number | null
  throttledAt: Date | null
}

/** What attempts change. The interval changes only if the endpoint was not throttled meanwhile. */
export interface RateChange {
  throttledBefore: Date | null
  /** Null: unchanged. */
  intervalFactor: number | null
  throttledAt: Date | null
  sendAfter: Date | null
}

type Ended = Pick<Outcome, 'endedAt' | 'errorClass' | 'isThrottled' | 'retryAfterMs'>

/** @param failingSince of the endpoint, at the start of the attempt. */
export function toRateChange(rate: SendRate, failingSince: Date | null, outcome: Ended): RateChange {
  const { endedAt, errorClass, isThrottled, retryAfterMs = 0 } = outcome
  const unchanged = { throttledBefore: rate.throttledAt, intervalFactor: null, throttledAt: null, sendAfter: null }
  if (isThrottled) {
    const pauseMs = Math.min(Math.max(retryAfterMs, PAUSE_MIN_MS), PAUSE_MAX_MS)
    const sendAfter = new Date(endedAt.getTime() + pauseMs)
    return { ...unchanged, intervalFactor: failingSince ? GROWTH_AGAIN : GROWTH, throttledAt: endedAt, sendAfter }
  }
  if (errorClass !== null || rate.sendIntervalMs === null) return unchanged
  return { ...unchanged, intervalFactor: 1 - toShrink(rate.sendIntervalMs, rate.throttledAt ?? endedAt, endedAt) }
}

function toShrink(intervalMs: number, throttledAt: Date, now: Date): number {
  const interval = intervalMs / 1_000
  const elapsed = (now.getTime() - throttledAt.getTime()) / 1_000
  const max = Math.min(Math.max(interval / LONG_S, SHRINK_MAX.short), SHRINK_MAX.long)
  return Math.min((interval * (elapsed + interval)) / RECOVERY, max)
}

/** Combines the changes of two attempts that are recorded together. */
export function addRateChange(before: RateChange | undefined, { ...change }: RateChange): RateChange {
  if (!before) return change
  if (before.throttledAt && !change.throttledAt) return before
  if (!change.throttledAt) return { ...change, intervalFactor: multiply(before.intervalFactor, change.intervalFactor) }
  const sendAfter = new Date(Math.max(Number(before.sendAfter), Number(change.sendAfter)))
  return { ...(before.throttledAt ? before : change), sendAfter }
}

const multiply = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a * b)
