import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { addDuration, type Histogram, parseDecimal, toDecimal, toPercentile } from '../../histogram.ts'

function toHistogram(...durationsMs: number[]): Histogram {
  const histogram: Histogram = new Map()
  for (const ms of durationsMs) addDuration(histogram, ms)
  return histogram
}

/** The digits as PostgreSQL reads them and shows a sum. */
function toDigits(decimal: string): bigint {
  const [digits = '', exponent = '0'] = decimal.split('e')
  return BigInt(digits) * 10n ** BigInt(exponent)
}

test('the relative error of a percentile is at most 10 %, from 0.1 s to 30 days', () => {
  proves('statistics.durations')
  for (let ms = 100; ms < 30 * 24 * 60 * 60 * 1000; ms *= 1.003) {
    const seconds = toPercentile(toHistogram(ms), 0.5) ?? Number.NaN
    expect(Math.abs(seconds * 1000 - ms) / ms, `${ms} ms`).toBeLessThanOrEqual(0.1)
  }
})

test('a percentile is the smallest duration that the share of the jobs does not exceed', () => {
  const histogram = toHistogram(...Array(94).fill(1_000), ...Array(6).fill(60_000))
  expect(toPercentile(histogram, 0.5)).toBeCloseTo(1, 0)
  expect(toPercentile(histogram, 0.94)).toBeCloseTo(1, 0)
  expect(toPercentile(histogram, 0.95)).toBeGreaterThan(55)
  expect(toPercentile(histogram, 0.95)).toBeLessThan(66)
  expect(toPercentile(new Map(), 0.5)).toBeUndefined()
})

test('shorter durations are 0.1 s, longer ones than 39 days and negative ones are counted as well', () => {
  expect(toPercentile(toHistogram(0, -5_000, 100), 0.95)).toBe(0.1)
  expect(toHistogram(1e12, 1e15)).toEqual(new Map([[100, 2]]))
})

test('histograms are added by their decimals', () => {
  const parts = [toHistogram(50, 1_000, 1_000), toHistogram(), toHistogram(1_000, 90_000_000), toHistogram(0)]
  const sum = parts.reduce((total, part) => total + toDigits(toDecimal(part)), 0n)
  expect(parseDecimal(String(sum))).toEqual(toHistogram(50, 1_000, 1_000, 1_000, 90_000_000, 0))
  const large = new Map([
    [3, 999_999_999_999],
    [4, 1],
  ])
  expect(parseDecimal(String(toDigits(toDecimal(large))))).toEqual(large)
})
