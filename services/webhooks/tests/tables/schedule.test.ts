import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { parseRetryAfter, RETRY_GAPS_MS, type RetryState, toNextAttempt } from '../../delivery/schedule.ts'

const NOW = new Date('2026-03-04T05:06:07.000Z')
const MINUTE_MS = 60_000
const after = (ms: number) => new Date(NOW.getTime() + ms)

/** After an attempt that ended at `NOW`, or `endedAt`, with the answer 500, or another `outcome`. */
function toNext(before: Partial<RetryState>, outcome: object = {}, random = 0.5) {
  const state = { retries: 0, throttledSince: null, scheduledAt: null, ...before }
  const failed = { errorClass: 'status', retryAfterMs: undefined, isThrottled: false, isGone: false } as const
  const ended = { endedAt: NOW, ...failed, ...outcome }
  const next = toNextAttempt(state, ended, RETRY_GAPS_MS, random)
  const gapMs = next.nextAttemptAt ? next.nextAttemptAt.getTime() - ended.endedAt.getTime() : null
  return { ...next, gapMs }
}

test('the 8 attempts of a delivery take 27 h 35 min', () => {
  proves('retry.schedule')
  const gaps = [0, 1, 2, 3, 4, 5, 6, 7].map((retries) => toNext({ retries }).gapMs)
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
  expect(gaps).toEqual([...seconds.map((s) => s * 1000), null])
  expect(seconds.reduce((sum, s) => sum + s, 0)).toBe(27 * 3600 + 35 * 60 + 5)
})

test('a gap varies by up to 10 % in both directions', () => {
  proves('retry.jitter')
  expect(toNext({}, {}, 0).gapMs).toBe(4_500)
  expect(toNext({}, {}, 1 - Number.EPSILON).gapMs).toBe(5_500)
})

test('`Retry-After` at most doubles a gap and never shortens it', () => {
  proves('attempt.retry-after.longer', 'attempt.retry-after.much-longer', 'attempt.retry-after.shorter')
  const gapAfter = (retryAfterMs: number) => toNext({}, { retryAfterMs }).gapMs
  expect(gapAfter(0)).toBe(5_000)
  expect(gapAfter(4_999)).toBe(5_000)
  expect(gapAfter(7_000)).toBe(7_000)
  expect(gapAfter(10_000)).toBe(10_000)
  expect(gapAfter(10_001)).toBe(10_000)
})

test('a 410 ends the schedule', () => {
  expect(toNext({}, { isGone: true, retryAfterMs: 1_000 })).toMatchObject({ retries: 1, nextAttemptAt: null })
})

describe('a throttled attempt', () => {
  const throttled = (before: Partial<RetryState>, retryAfterMs?: number, endedAt = NOW) =>
    toNext(before, { isThrottled: true, retryAfterMs, endedAt })

  test('uses no step of the schedule, and the next one follows after the first gap or `Retry-After`, at most 5 min', () => {
    proves('attempt.throttled.unused', 'attempt.throttled.retry-after', 'attempt.throttled.5-minutes')
    expect(throttled({ retries: 3 })).toMatchObject({ retries: 3, throttledSince: NOW, gapMs: 5_000 })
    expect(throttled({}, 1_000).gapMs).toBe(5_000)
    expect(throttled({}, 60_000).gapMs).toBe(60_000)
    expect(throttled({}, 5 * MINUTE_MS + 1).gapMs).toBe(5 * MINUTE_MS)
  })

  test('uses a step after 15 minutes without any other outcome', () => {
    proves('attempt.throttled.15-minutes')
    const state = { retries: 1, throttledSince: NOW }
    expect(throttled(state, 0, after(15 * MINUTE_MS - 1))).toMatchObject({ retries: 1, throttledSince: NOW })
    const used = throttled(state, 0, after(15 * MINUTE_MS))
    expect(used).toMatchObject({ retries: 2, throttledSince: null, gapMs: 5 * MINUTE_MS })
    expect(toNext(state, { endedAt: after(1) })).toMatchObject({ retries: 2, throttledSince: null })
  })

  test('is followed by at most 36 others in these 15 minutes', () => {
    let [state, endedAt, attempts]: [RetryState, Date, number] = [throttled({}), NOW, 1]
    for (; state.retries === 0; attempts++) {
      const next = throttled(state, 0, endedAt)
      endedAt = next.nextAttemptAt ?? NOW
      state = next
    }
    expect(attempts).toBeLessThanOrEqual(37)
  })
})

test('an attempt that fails before its time by the schedule uses no step of it; one at that time does', () => {
  const state = { retries: 2, scheduledAt: after(MINUTE_MS) }
  expect(toNext(state)).toMatchObject({ ...state, nextAttemptAt: state.scheduledAt })
  // At least the first gap is between two attempts.
  expect(toNext(state, { endedAt: after(MINUTE_MS - 1) }).nextAttemptAt).toEqual(after(MINUTE_MS - 1 + 5_000))
  expect(toNext(state, { endedAt: state.scheduledAt })).toMatchObject({ retries: 3, scheduledAt: null })
  expect(toNext(state, { errorClass: null })).toMatchObject({ scheduledAt: null, nextAttemptAt: null })
})

describe('`Retry-After`', () => {
  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Wed, 04 Mar 2026 05:07:07 GMT', 60_000],
    ['Wednesday, 04-Mar-26 05:07:07 GMT', 60_000],
    ['Wed, 04 Mar 2026 05:06:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
    ['2026-03-04', undefined],
    ['', undefined],
  ])('%j is %s ms', (header, ms) => expect(parseRetryAfter(header, NOW)).toBe(ms))

  test('is ignored if it is absent or repeated', () => {
    expect(parseRetryAfter(undefined, NOW)).toBeUndefined()
    expect(parseRetryAfter(['1', '2'], NOW)).toBeUndefined()
  })
})
