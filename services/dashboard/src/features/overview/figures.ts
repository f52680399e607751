/** What the tiles show, from the figures by hour. A day is that of the reader. */
import type { Overview } from '../../api/gen/schema.ts'
import { sum } from '../usage/statistics/intervals.ts'

type Figures = NonNullable<Overview['figures']>

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const PLOTTED = 24

interface Today {
  printed: number
  failed: number
  /** On the same day of the week before, until the nearest hour. */
  weekBefore: { printed: number; until: Date }
}

/** @param at the time of the figures. @param midnight the begin of the day of the reader. */
export function countToday({ hours, weekBefore }: Figures, at: Date, midnight = toMidnight(at)): Today {
  const until = new Date(Math.round(at.getTime() / HOUR_MS) * HOUR_MS - 7 * DAY_MS)
  const weekAgo = new Date(midnight.getTime() - 7 * DAY_MS)
  const today = hours.filter(({ start }) => isFrom(start, midnight))
  return {
    printed: sum(today.map(({ printed }) => printed)),
    failed: sum(today.map(({ failed }) => failed)),
    weekBefore: {
      printed: sum(
        weekBefore
          .filter(({ start }) => isFrom(start, weekAgo) && Date.parse(start) < until.getTime())
          .map(({ printed }) => printed),
      ),
      until,
    },
  }
}

export const getPlotted = ({ hours }: Figures): Figures['hours'] => hours.slice(-PLOTTED)

/** The hour in which the day begins belongs to it, in time zones of half an hour too. */
const isFrom = (start: string, day: Date) => Date.parse(start) > day.getTime() - HOUR_MS

const toMidnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())
