import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { JobStatistics, Percentiles } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { FAILED_STATES, FINAL_STATES } from '@platen/resources/job-states.ts'
import { required } from '../required.ts'

export const HOUR_MS = 60 * 60_000
/** Today has begun within them, also in the time zone of the reader. */
export const HOURS = 48
export const WEEK_MS = 7 * 24 * HOUR_MS

interface Hour {
  start: string
  printed: number
  /** Ended as `error` or `expired`. */
  failed: number
  /** Unfinished jobs at its end. Null if they could not be counted. */
  waiting: number | null
  /** 95 % of the printed jobs took at most so many seconds from their creation. Null without one. */
  secondsToDone: number | null
}

export interface Figures {
  /** The last one is the present hour. */
  hours: Hour[]
  /** The same hours one week before. */
  weekBefore: { start: string; printed: number }[]
  /** The median in the last 24 hours, as in an hour. */
  secondsToDone: number | null
}

export const getHour = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)

interface FigureFacts {
  now: Date
  hours: JobStatistics[]
  weekBefore: JobStatistics[]
  done: Percentiles | undefined
  /** Unfinished jobs now. */
  waiting: number | undefined
}

export function toFigures({ now, hours, weekBefore, done, waiting }: FigureFacts): Figures {
  const starts = Array.from({ length: HOURS }, (_, n) => getHour(now).getTime() - (HOURS - 1 - n) * HOUR_MS)
  const found = index(hours)
  const before = index(weekBefore)
  let unfinished = waiting ?? 0
  const backwards = starts.toReversed().map((start): Hour => {
    const entry = found.get(start)
    const atEnd = Math.max(0, unfinished)
    unfinished -= sum(entry, ['queued']) - sum(entry, FINAL_STATES)
    return {
      start: new Date(start).toISOString(),
      printed: sum(entry, ['done']),
      failed: sum(entry, FAILED_STATES),
      waiting: waiting === undefined ? null : atEnd,
      secondsToDone: entry?.done?.p95Seconds ?? null,
    }
  })
  return {
    hours: backwards.toReversed(),
    weekBefore: starts.map((start) => ({
      start: new Date(start - WEEK_MS).toISOString(),
      printed: sum(before.get(start - WEEK_MS), ['done']),
    })),
    secondsToDone: done?.p95Seconds ?? null,
  }
}

const index = (entries: JobStatistics[]) =>
  new Map(entries.map((entry) => [timestampDate(required(entry.start)).getTime(), entry]))

const sum = (entry: JobStatistics | undefined, states: readonly string[]) =>
  (entry?.counts ?? [])
    .filter(({ state }) => states.includes(state))
    .reduce((total, { jobs }) => total + Number(jobs), 0)
