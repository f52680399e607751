/**
 * The only code that writes the ledger and its counts: any number of prints in one statement and one transaction, with the cursor that says
 * how far the events of jobs were read. A count is a row that only this service locks: no creation waits for it.
 */
import { type Move, moved, moveValues } from '@platen/runtime/event-log/follow.ts'
import type { Pool } from 'pg'

/** One accepted live job, whatever its pages, `qty` or outcome. Reference: docs/reference/usage.md#counting. */
export interface Print {
  eventId: string
  organizationId: string
  jobId: string
  /** Decides the period. */
  jobCreatedAt: Date
}

/** A print that is in the ledger already, from before a log was read again from its beginning, changes nothing. */
const SQL = `
WITH ${moved('usage', 5)},
recorded AS (
  INSERT INTO usage.ledger (event_id, organization_id, job_id, job_created_at)
  SELECT print.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) AS print (event_id) WHERE EXISTS (SELECT FROM moved)
  ON CONFLICT (event_id) DO NOTHING
  RETURNING organization_id, date_trunc('month', job_created_at, 'UTC') AS period_start
),
counted AS (
  INSERT INTO usage.period_count AS counted (organization_id, period_start, prints)
  SELECT organization_id, period_start, count(*) FROM recorded GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, period_start) DO UPDATE SET prints = counted.prints + excluded.prints
)
SELECT FROM moved`

/** @returns false, and nothing is recorded, when another replica has moved the cursor. */
export async function recordPrints(pool: Pool, prints: Print[], move: Move): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'record prints',
    text: SQL,
    values: [
      prints.map(({ eventId }) => eventId),
      prints.map(({ organizationId }) => organizationId),
      prints.map(({ jobId }) => jobId),
      prints.map(({ jobCreatedAt }) => jobCreatedAt),
      ...moveValues(move),
    ],
  })
  return rowCount === 1
}
