/** The intervals of statistics, in UTC. */

export const INTERVALS = ['hour', 'day', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

const HOUR_MS = 60 * 60 * 1000

/** The start of the interval of `time`, in UTC. */
export function getStart(interval: Interval, time: Date): Date {
  const [year, month, day, hour] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), time.getUTCHours()]
  if (interval === 'month') return new Date(Date.UTC(year, month))
  return new Date(Date.UTC(year, month, day, interval === 'hour' ? hour : 0))
}

/** The end of the last interval that starts before `time`. */
export function getEnd(interval: Interval, time: Date): Date {
  const start = getStart(interval, new Date(time.getTime() - 1))
  if (interval === 'month') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  return new Date(start.getTime() + (interval === 'day' ? 24 : 1) * HOUR_MS)
}
