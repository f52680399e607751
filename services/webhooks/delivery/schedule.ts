/** The retry schedule of deliveries. Reference: docs/reference/webhooks.md#retries. */
import type { Outcome } from './send.ts'
import { PAUSE_MAX_MS } from './throttle.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** From the end of each failed attempt to the next one. The comments show the total time since the first attempt. */
export const RETRY_GAPS_MS: readonly number[] = [
  5 * SECOND_MS, // 5 s
  5 * MINUTE_MS, // 5 min 5 s
  30 * MINUTE_MS, // 35 min 5 s
  2 * HOUR_MS, // 2 h 35 min
  5 * HOUR_MS, // 7 h 35 min
  10 * HOUR_MS, // 17 h 35 min
  10 * HOUR_MS, // 27 h 35 min
]

const JITTER = 0.1
/** `Retry-After` can extend a gap to at most this multiple. */
const EXTENSION_MAX = 2

/** A throttled attempt uses the schedule only after this time without any other outcome. */
const THROTTLED_MAX_MS = 15 * MINUTE_MS
/**
 * The part of this time that a delivery waits at least, so that the number of its attempts grows with the logarithm.
 */
const THROTTLED_PART = 8

/** What the schedule of a delivery depends on. */
export interface RetryState {
  /** Attempts that used the schedule. */
  retries: number
  /** The end of the first throttled attempt after the last other one. */
  throttledSince: Date | null
  /**
   * The next attempt by the schedule, if the delivery is attempted before. An attempt that fails before uses no step of
   * the schedule.
   */
  scheduledAt: Date | null
}

export interface NextAttempt extends RetryState {
  /** Null after a success or the last attempt. */
  nextAttemptAt: Date | null
}

type Ended = Pick<Outcome, 'endedAt' | 'errorClass' | 'retryAfterMs' | 'isThrottled' | 'isGone'>

/**
 * @param state before the attempt.
 * @param random from 0 to less than 1. Varies the gap by up to 10 %, so that attempts that failed together are not
 *   retried together.
 * @returns the state after the attempt.
 */
export function toNextAttempt(
  state: RetryState,
  outcome: Ended,
  gapsMs: readonly number[],
  random: number,
): NextAttempt {
  const { endedAt, errorClass, retryAfterMs = 0, isThrottled, isGone } = outcome
  const { retries, scheduledAt } = state
  const unused = { retries, scheduledAt }
  const ended = { retries: retries + 1, throttledSince: null, scheduledAt: null, nextAttemptAt: null }
  if (errorClass === null || isGone) return ended

  const varied = (gapMs: number) => Math.round(gapMs * (1 - JITTER + 2 * JITTER * random))
  const after = (gapMs: number) => new Date(endedAt.getTime() + gapMs)

  const throttledSince = state.throttledSince ?? endedAt
  const throttledMs = endedAt.getTime() - throttledSince.getTime()
  if (isThrottled && throttledMs < THROTTLED_MAX_MS) {
    const waitMs = Math.max(varied(gapsMs[0] ?? 0), Math.min(retryAfterMs, PAUSE_MAX_MS), throttledMs / THROTTLED_PART)
    return { ...unused, throttledSince, nextAttemptAt: after(waitMs) }
  }
  if (scheduledAt && endedAt < scheduledAt) {
    const waitMs = Math.max(scheduledAt.getTime() - endedAt.getTime(), gapsMs[0] ?? 0)
    return { ...unused, throttledSince: null, nextAttemptAt: after(waitMs) }
  }

  const gapMs = gapsMs[retries]
  if (gapMs === undefined) return ended
  const variedMs = varied(gapMs)
  return { ...ended, nextAttemptAt: after(Math.min(Math.max(variedMs, retryAfterMs), variedMs * EXTENSION_MAX)) }
}

/**
 * @param header `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns milliseconds; undefined if the header is absent or invalid; 0 for a date in the past.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
