import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { parseRetryAfter, RETRY_GAPS_MS, toGapMs } from '../../delivery/schedule.ts'

const NOW = new Date('2026-03-04T05:06:07.000Z')
const failed = (retries: number, found: { retryAfterMs?: number; isGone?: boolean } = {}) => ({
  retries,
  retryAfterMs: undefined,
  isGone: false,
  ...found,
})

test('the 8 attempts of a delivery take 27 h 35 min', () => {
  proves('retry.schedule')
  const gaps = [1, 2, 3, 4, 5, 6, 7, 8].map((retries) => toGapMs(failed(retries), RETRY_GAPS_MS, 0.5))
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
  expect(gaps).toEqual([...seconds.map((s) => s * 1000), undefined])
  expect(seconds.reduce((sum, s) => sum + s, 0)).toBe(27 * 3600 + 35 * 60 + 5)
})

test('a gap varies by up to 10 % in both directions', () => {
  proves('retry.jitter')
  expect(toGapMs(failed(1), RETRY_GAPS_MS, 0)).toBe(4_500)
  expect(toGapMs(failed(1), RETRY_GAPS_MS, 1 - Number.EPSILON)).toBe(5_500)
})

test('`Retry-After` at most doubles a gap and never shortens it', () => {
  proves('attempt.retry-after.longer', 'attempt.retry-after.much-longer', 'attempt.retry-after.shorter')
  const after = (retryAfterMs: number) => toGapMs(failed(1, { retryAfterMs }), RETRY_GAPS_MS, 0.5)
  expect(after(0)).toBe(5_000)
  expect(after(4_999)).toBe(5_000)
  expect(after(7_000)).toBe(7_000)
  expect(after(10_000)).toBe(10_000)
  expect(after(10_001)).toBe(10_000)
})

test('a 410 ends the schedule', () => {
  expect(toGapMs(failed(1, { isGone: true, retryAfterMs: 1_000 }), RETRY_GAPS_MS, 0.5)).toBeUndefined()
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
