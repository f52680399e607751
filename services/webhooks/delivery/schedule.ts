/** The retry schedule of deliveries. Reference: docs/reference/webhooks.md#retries. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** From the end of each failed attempt to the next one. Behind them how long after the first attempt that is, in all. */
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
/** So many times a gap is what `Retry-After` can make of it at most. */
const LENGTHENED_MAX = 2

export interface FailedAttempt {
  /** Attempts since the schedule began, this one included. */
  retries: number
  retryAfterMs: number | undefined
  /** 410: the receiver wants no more of this. */
  isGone: boolean
}

/**
 * @param random from 0 to less than 1: varies the gap by up to 10 %, so that what failed together does not come again together.
 * @returns undefined when there is no further attempt.
 */
export function gapAfter(
  { retries, retryAfterMs = 0, isGone }: FailedAttempt,
  gapsMs: readonly number[],
  random: number,
): number | undefined {
  const gapMs = gapsMs[retries - 1]
  if (gapMs === undefined || isGone) return undefined
  const variedMs = Math.round(gapMs * (1 - JITTER + 2 * JITTER * random))
  return Math.min(Math.max(variedMs, retryAfterMs), variedMs * LENGTHENED_MAX)
}

/**
 * @param header `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns undefined when it is absent or neither of these; 0 for a date that has gone by.
 */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
