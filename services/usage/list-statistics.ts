/**
 * The statement of statistics: the next entries by interval and value, and the counts of these.
 *
 * Reads the hours that are not merged yet, of at most `HOURS_KEPT_DAYS` and a day, and the days of one dimension by their primary key. A page
 * by day reads the days of its entries only; one by month reads all days from `from` to `until`. Takes no locks.
 */
import type { Pool } from 'pg'

export type Interval = 'hour' | 'day' | 'month'
export type Dimension = 'all' | 'printer' | 'computer' | 'key' | 'source'

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
  jobs: string
  printing: string
  done: string
}

/** SQL: the value of a row of `job_hour` in each dimension, as a text of `job_day`. */
export const VALUES: Record<Dimension, string> = {
  all: `''`,
  printer: 'printer_id::text',
  computer: 'computer_id::text',
  key: `CASE WHEN key_id <> '00000000-0000-0000-0000-000000000000' THEN key_id::text ELSE '' END`,
  source: 'source',
}

const statisticsSql = (interval: Interval, dimension: Dimension, ascending: boolean) => {
  const [order, after] = ascending ? ['ASC', '>'] : ['DESC', '<']
  const isFollowing = (start: string) => `($7::timestamptz IS NULL OR (${start}, value) ${after} ($7, $8 COLLATE "C"))`
  const dayStart = interval === 'day' ? 'day' : `date_trunc('${interval}', day, 'UTC')`
  // The lists of hours have no days.
  const days = `SELECT ${dayStart} AS start, value, state, reason, jobs, printing, done FROM usage.job_day
    WHERE organization_id = $1 AND mode = $2 AND dimension = '${dimension}' AND ($3::text IS NULL OR value = $3)
      AND day >= $4 AND day < $5 AND '${interval}' <> 'hour'`
  return `
WITH hours AS MATERIALIZED (
  SELECT date_trunc('${interval}', hour, 'UTC') AS start, (${VALUES[dimension]}) COLLATE "C" AS value, state, reason, jobs, printing, done
  FROM usage.job_hour
  WHERE organization_id = $1 AND mode = $2 AND ($3::text IS NULL OR (${VALUES[dimension]}) COLLATE "C" = $3) AND hour >= $4 AND hour < $5
),
entry AS MATERIALIZED (
  SELECT start, value FROM (
    SELECT start, value FROM hours WHERE ${isFollowing('start')}
    UNION ALL (
      SELECT start, value FROM (${days}) AS days WHERE ${isFollowing('start')}
      GROUP BY start, value ORDER BY start ${order}, value ${order} LIMIT $6
    )
  ) AS found GROUP BY start, value ORDER BY start ${order}, value ${order} LIMIT $6
)
SELECT start, value, state, reason, sum(jobs)::text AS jobs, sum(printing)::text AS printing, sum(done)::text AS done
FROM entry JOIN (
  SELECT * FROM hours
  UNION ALL (${days} AND day >= (SELECT min(start) FROM entry))
) AS counts USING (start, value)
GROUP BY start, value, state, reason ORDER BY start ${order}, value ${order}, state, reason`
}

export async function readStatistics(
  lists: Pool,
  filters: StatisticsFilters,
  page: { after: EntryPosition | undefined; ascending: boolean; rows: number },
): Promise<CountRow[]> {
  const { organizationId, mode, interval, dimension, value, from, until } = filters
  const { after, ascending, rows: limit } = page
  const { rows } = await lists.query<CountRow>(statisticsSql(interval, dimension, ascending), [
    organizationId,
    mode,
    value,
    from,
    until,
    limit,
    after?.start,
    after?.value,
  ])
  return rows
}
