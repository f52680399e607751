/**
 * The statement of statistics: the next entries by interval and value, and the counts of these. Reads the counts of its
 * entries by their primary key. Takes no locks.
 */
import type { Pool } from 'pg'
import { COUNTS, type Dimension } from './add-counts.ts'
import type { Interval } from './intervals.ts'

export interface StatisticsFilters {
  organizationId: string
  mode: string
  interval: Interval
  dimension: Dimension
  value?: string | undefined
  from: Date
  until: Date
}

/** The order of entries. */
export interface EntryPosition {
  start: Date
  value: string
}

export interface CountRow extends EntryPosition {
  state: string
  reason: string
  /** Creations, only of the state `done`. */
  accepted: string
  /** Ends. */
  jobs: string
  printing: string
  done: string
  by_printer: string
  by_spooler: string
  by_nobody: string
}

const statisticsSql = (ascending: boolean) => {
  const [order, after] = ascending ? ['ASC', '>'] : ['DESC', '<']
  const counts = `usage.job_count WHERE organization_id = $1 AND mode = $2 AND interval = $3 AND dimension = $4
    AND ($5::text IS NULL OR value = $5)`
  return `
WITH entry AS MATERIALIZED (
  SELECT start, value FROM ${counts} AND start >= $6 AND start < $7
    AND ($9::timestamptz IS NULL OR (start, value) ${after} ($9, $10 COLLATE "C"))
  GROUP BY start, value ORDER BY start ${order}, value ${order} LIMIT $8
)
SELECT counted.* FROM entry CROSS JOIN LATERAL (
  SELECT start, value, state, reason, ${COUNTS.map((count) => `${count}::text`).join(', ')}
  FROM ${counts} AND start = entry.start AND value = entry.value
) AS counted
ORDER BY start ${order}, value ${order}, state, reason`
}

export async function readStatistics(
  lists: Pool,
  filters: StatisticsFilters,
  page: { after: EntryPosition | undefined; ascending: boolean; rows: number },
): Promise<CountRow[]> {
  const { organizationId, mode, interval, dimension, value, from, until } = filters
  const { after, ascending, rows: limit } = page
  const { rows } = await lists.query<CountRow>(statisticsSql(ascending), [
    organizationId,
    mode,
    interval,
    dimension,
    value,
    from,
    until,
    limit,
    after?.start,
    after?.value,
  ])
  return rows
}
