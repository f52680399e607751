import { expect, test } from 'vitest'
import { addRateChange, type RateChange, type SendRate, toRateChange } from '../../delivery/throttle.ts'

const THROTTLED_AT = new Date('2026-03-04T05:06:07.000Z')
const after = (ms: number) => new Date(THROTTLED_AT.getTime() + ms)
const NEVER: SendRate = { sendIntervalMs: null, throttledAt: null }
const LIMITED: SendRate = { sendIntervalMs: 250, throttledAt: THROTTLED_AT }

const toChange = (rate: SendRate, outcome: object, failingSince: Date | null = null) =>
  toRateChange(rate, failingSince, {
    ...{ endedAt: after(0), errorClass: 'status', isThrottled: false, retryAfterMs: undefined },
    ...outcome,
  })
const succeeded = (ms: number, rate = LIMITED) => toChange(rate, { endedAt: after(ms), errorClass: null })
const throttled = (retryAfterMs?: number) => toChange(LIMITED, { isThrottled: true, retryAfterMs })

test('a throttled attempt pauses the endpoint for the time of `Retry-After`, at least 1 s and at most 5 min', () => {
  const pauses = [undefined, 0, 999, 2_000, 300_000, 300_001].map((ms) => throttled(ms).sendAfter)
  expect(pauses).toEqual([1_000, 1_000, 1_000, 2_000, 300_000, 300_000].map(after))
})

test('a throttled attempt makes the interval longer, more so without a success before it; another failure does not change it', () => {
  expect(throttled()).toMatchObject({ intervalFactor: 1.25, throttledBefore: THROTTLED_AT, throttledAt: THROTTLED_AT })
  expect(toChange(LIMITED, { isThrottled: true }, THROTTLED_AT).intervalFactor).toBe(2)
  for (const rate of [LIMITED, NEVER])
    expect(toChange(rate, {})).toMatchObject({ intervalFactor: null, throttledAt: null, sendAfter: null })
})

test('a success makes the interval shorter, slowly near the last throttled rate, then faster; a rate without a limit stays so', () => {
  const factors = [0, 10_000, 40_000, 400_000].map((ms) => succeeded(ms).intervalFactor ?? 0)
  expect(factors.map((factor) => Number(factor.toFixed(4)))).toEqual([0.9998, 0.9898, 0.9597, 0.875])
  expect(succeeded(100_000, { ...LIMITED, sendIntervalMs: 10 }).intervalFactor).toBeCloseTo(0.996)
  expect(succeeded(900_000, { ...LIMITED, sendIntervalMs: 60_000 }).intervalFactor).toBe(0.5)
  expect(succeeded(0, NEVER)).toMatchObject({ intervalFactor: null })
})

test('of attempts that are recorded together one makes the interval longer, and each success shorter', () => {
  const add = (...changes: RateChange[]) => changes.reduce<RateChange | undefined>(addRateChange, undefined)
  const [one, other] = [succeeded(10_000), succeeded(40_000)]
  expect(add(one, other)?.intervalFactor).toBeCloseTo((one.intervalFactor ?? 0) * (other.intervalFactor ?? 0))
  const expected = { intervalFactor: 1.25, throttledAt: THROTTLED_AT, sendAfter: after(7_000) }
  expect(add(one, throttled(7_000), other, throttled())).toMatchObject(expected)
  expect(add(succeeded(0, NEVER), one)?.intervalFactor).toBe(one.intervalFactor)
})
