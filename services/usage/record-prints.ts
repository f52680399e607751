/**
 * The only code that writes the ledger, its counts and the counts of the statistics. One statement records any number
 * of prints and jobs and moves the cursor of the event log, so each event is counted once. Creations of jobs do not
 * wait for the rows of the counts, because only this statement locks them. `timers/add-recent-counts.ts` adds the
 * statistics to their intervals.
 */
import { type Move, moved, moveValues } from '@platen/runtime/event-log/follow.ts'
import type { Pool } from 'pg'
import { type CountedEvent, countJobs } from './count-jobs.ts'

/** One accepted live job. Its pages, `qty` and outcome do not matter. Reference: docs/reference/usage.md#counting. */
export interface Print {
  eventId: string
  organizationId: string
  jobId: string
  /** Determines the period. */
  jobCreatedAt: Date
}

/** An existing print changes nothing. */
const SQL = `
WITH ${moved('usage', 5)},
recorded AS (
  INSERT INTO usage.ledger (event_id, organization_id, job_id, job_created_at)
  SELECT print.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) AS print (event_id)
  WHERE EXISTS (SELECT FROM moved)
  ON CONFLICT (event_id) DO NOTHING
  RETURNING organization_id, date_trunc('month', job_created_at, 'UTC') AS period_start
),
counted AS (
  INSERT INTO usage.period_count AS counted (organization_id, period_start, prints)
  SELECT organization_id, period_start, count(*) FROM recorded GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, period_start) DO UPDATE SET prints = counted.prints + excluded.prints
),
counted_jobs AS (
  INSERT INTO usage.recent_count (events, counts) SELECT $10, $11 WHERE $10 > 0 AND EXISTS (SELECT FROM moved)
)
SELECT FROM moved`

/** @param jobs of the statistics. @returns false if another replica has moved the cursor. Nothing is recorded then. */
export async function recordPrints(pool: Pool, prints: Print[], jobs: CountedEvent[], move: Move): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'record prints',
    text: SQL,
    values: [
      prints.map(({ eventId }) => eventId),
      prints.map(({ organizationId }) => organizationId),
      prints.map(({ jobId }) => jobId),
      prints.map(({ jobCreatedAt }) => jobCreatedAt),
      ...moveValues(move),
      jobs.length,
      countJobs(jobs),
    ],
  })
  return rowCount === 1
}
