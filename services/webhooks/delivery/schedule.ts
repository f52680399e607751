/** The retry schedule of deliveries. Reference: docs/reference/webhooks.md#retries. */

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

export interface FailedAttempt {
  /** Attempts since the schedule began, this one included. */
  retries: number
  retryAfterMs: number | undefined
  /** The response was 410, which ends the retries of the delivery. */
  isGone: boolean
}

/**
 * @param random from 0 to less than 1. Varies the gap by up to 10 %, so that attempts that failed together are not retried together.
 * @returns the time to the next attempt; undefined if the delivery has no further attempt.
 */
export function toGapMs(
  { retries, retryAfterMs = 0, isGone }: FailedAttempt,
  gapsMs: readonly number[],
  random: number,
): number | undefined {
  const gapMs = gapsMs[retries - 1]
  if (gapMs === undefined || isGone) return undefined
  const variedMs = Math.round(gapMs * (1 - JITTER + 2 * JITTER * random))
  return Math.min(Math.max(variedMs, retryAfterMs), variedMs * EXTENSION_MAX)
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
