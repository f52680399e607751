/**
 * The statement that adds counts of jobs to `usage.job_count`: to an hour, a day and a month, in each dimension, so
 * that a list reads the rows that it shows and no others. Reference: docs/decisions/19-statistics.md.
 */
import { CONFIRMED_BY } from '@platen/resources/job-states.ts'
import { INTERVALS } from './intervals.ts'

export type Dimension = 'all' | 'printer' | 'computer' | 'key' | 'source'

/** SQL: the value of a counted job in each dimension. A null id stands for a job without a key. */
const VALUES: Record<Dimension, string> = {
  all: `''`,
  printer: 'printer_id::text',
  computer: 'computer_id::text',
  key: `CASE WHEN key_id <> '00000000-0000-0000-0000-000000000000' THEN key_id::text ELSE '' END`,
  source: 'source',
}

export const DIMENSIONS = Object.keys(VALUES) as Dimension[]

const CONFIRMED = CONFIRMED_BY.map((who) => `by_${who}`)
export const COUNTS = ['accepted', 'jobs', 'printing', 'done', ...CONFIRMED]
// A batch that was recorded before the migration lacks the newest columns.
const SUMS = COUNTS.map((count) => `COALESCE(sum(${count}), 0) AS ${count}`).join(', ')
/** SQL: the columns of a count, with their types. */
export const COUNT_COLUMNS = `accepted bigint, jobs bigint, printing numeric, done numeric, ${CONFIRMED.map((column) => `${column} bigint`).join(', ')}`

const list = (rows: string[]) => `(VALUES ${rows.map((row) => `(${row})`).join(', ')})`
const VALUE_ROWS = list(Object.entries(VALUES).map(([dimension, value]) => `'${dimension}', (${value}) COLLATE "C"`))
const INTERVAL_ROWS = list(INTERVALS.map((interval) => `'${interval}'`))

/**
 * Rows are locked in the order of their key, so concurrent statements cannot deadlock.
 *
 * @param from SQL with the columns organization_id, mode, hour, printer_id, computer_id, key_id, source, state, reason,
 *   and `COUNT_COLUMNS`.
 */
export const addCounts = (from: string) => `
  INSERT INTO usage.job_count AS counted
    (organization_id, mode, interval, dimension, start, value, state, reason, ${COUNTS.join(', ')})
  SELECT organization_id, mode, interval, dimension, date_trunc(interval, hour, 'UTC'), value, state, reason, ${SUMS}
  FROM (
    SELECT organization_id, mode, hour, dimension, value, state, reason, ${SUMS}
    FROM (${from}) AS added CROSS JOIN LATERAL ${VALUE_ROWS} AS shown (dimension, value)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) AS hour CROSS JOIN ${INTERVAL_ROWS} AS length (interval)
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (organization_id, mode, interval, dimension, start, value, state, reason) DO UPDATE SET
    ${COUNTS.map((count) => `${count} = counted.${count} + excluded.${count}`).join(', ')}`
