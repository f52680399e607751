/** Intervals of plots. Those of the service begin at full hours and days of UTC. */
export type Interval = 'hour' | 'day'

/**
 * How often open plots are loaded again: an hour is their shortest interval, and a count can take 0.1 s of the
 * database.
 */
export const FIGURES_REFRESH_MS = 30_000

const HOUR_MS = 60 * 60_000

/** The last 24 hours or 30 days, with the present one. */
const PLOTTED: Record<Interval, { lengthMs: number; count: number }> = {
  hour: { lengthMs: HOUR_MS, count: 24 },
  day: { lengthMs: 24 * HOUR_MS, count: 30 },
}

/** @param now milliseconds by the clock of the service. @returns the starts of the plotted intervals, oldest first. */
export function toStarts(interval: Interval, now: number): string[] {
  const { lengthMs, count } = PLOTTED[interval]
  const present = Math.floor(now / lengthMs) * lengthMs
  return Array.from({ length: count }, (_, n) => new Date(present - (count - 1 - n) * lengthMs).toISOString())
}

/** The entries in the order of the starts. An interval without an entry has none. */
export function fillIntervals<Entry extends { start: string }>(starts: string[], entries: Entry[]) {
  const byStart = new Map(entries.map((entry) => [entry.start, entry]))
  return starts.map((start) => ({ start, entry: byStart.get(start) }))
}

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
