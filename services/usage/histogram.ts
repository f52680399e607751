/**
 * Histograms of durations, as one decimal number each: the digits from `DIGITS` × n on are the count of bin n. So
 * PostgreSQL adds histograms exactly by `+` and `sum`, and an empty range of bins takes no space. No count reaches the
 * next bin, because it has 12 digits.
 *
 * Bin 0 has the durations up to 0.1 s, and each other bin ends at 2^¼ times the end of the previous one. A percentile
 * is the geometric mean of its bin, so its relative error is at most 2^⅛ − 1, with rounding below 10 %. Reference:
 * docs/reference/statistics.md#durations.
 */
const DIGITS = 12
const BINS_PER_DOUBLING = 4
const SHORTEST_MS = 100
/** Ends after 39 days, longer than a job can exist. */
const LAST_BIN = 100

/** Counts by bin. */
export type Histogram = Map<number, number>

/** @param ms negative if a clock was set back. */
export function addDuration(histogram: Histogram, ms: number): void {
  const bin = Math.ceil(Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) * BINS_PER_DOUBLING)
  const index = Math.min(bin, LAST_BIN)
  histogram.set(index, (histogram.get(index) ?? 0) + 1)
}

/** The decimal number, as text that PostgreSQL reads. */
export function toDecimal(histogram: Histogram): string {
  const bins = [...histogram.keys()].toSorted((a, b) => b - a)
  const [highest, lowest] = [bins[0], bins.at(-1)]
  if (highest === undefined || lowest === undefined) return '0'
  let digits = ''
  for (let bin = highest; bin >= lowest; bin--) digits += String(histogram.get(bin) ?? 0).padStart(DIGITS, '0')
  return `${digits}e${lowest * DIGITS}`
}

/** @param decimal of `toDecimal`, or a sum, without an exponent. */
export function parseDecimal(decimal: string): Histogram {
  const histogram: Histogram = new Map()
  for (let end = decimal.length, bin = 0; end > 0; end -= DIGITS, bin++) {
    const count = Number(decimal.slice(Math.max(0, end - DIGITS), end))
    if (count > 0) histogram.set(bin, count)
  }
  return histogram
}

/**
 * @param fraction 0.95 for the 95th percentile.
 * @returns seconds with three digits; undefined for an empty histogram.
 */
export function toPercentile(histogram: Histogram, fraction: number): number | undefined {
  const bins = [...histogram].toSorted(([a], [b]) => a - b)
  const rank = Math.ceil(bins.reduce((sum, [, count]) => sum + count, 0) * fraction)
  let seen = 0
  for (const [bin, count] of bins) {
    seen += count
    if (seen >= rank) return toSeconds(bin)
  }
  return undefined
}

function toSeconds(bin: number): number {
  const ms = bin === 0 ? SHORTEST_MS : SHORTEST_MS * 2 ** ((bin - 0.5) / BINS_PER_DOUBLING)
  return Number((ms / 1000).toPrecision(3))
}

/** Percentiles of the sum of histograms. @returns undefined for empty ones. */
export function toPercentiles(decimals: string[]): { p50Seconds: number; p95Seconds: number } | undefined {
  const sum: Histogram = new Map()
  for (const decimal of decimals)
    for (const [bin, count] of parseDecimal(decimal)) sum.set(bin, (sum.get(bin) ?? 0) + count)
  const [p50Seconds, p95Seconds] = [toPercentile(sum, 0.5), toPercentile(sum, 0.95)]
  return p50Seconds === undefined || p95Seconds === undefined ? undefined : { p50Seconds, p95Seconds }
}
