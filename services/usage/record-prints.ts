/**
 * The only code that writes the ledger and its counts: any number of prints in one statement and one transaction.
 *
 * A print that is in the ledger already changes nothing, so that an event may come any number of times, to any replica. Rows are
 * written in the order of their ids, first all of the ledger and then the counts, so that two batches wait for each other and never
 * deadlock. A count is a row that only this service locks: no creation waits for it.
 */
import type { Pool } from 'pg'

/** One accepted live job. Source: decisions, "Identity and limits": whatever its pages, `qty` or outcome. */
export interface Print {
  eventId: string
  organizationId: string
  jobId: string
  /** Decides the period. */
  jobCreatedAt: Date
}

const SQL = `
WITH recorded AS (
  INSERT INTO usage.ledger (event_id, organization_id, job_id, job_created_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) AS print (event_id) ORDER BY event_id
  ON CONFLICT (event_id) DO NOTHING
  RETURNING organization_id, date_trunc('month', job_created_at, 'UTC') AS period_start
)
INSERT INTO usage.period_count AS counted (organization_id, period_start, prints)
SELECT organization_id, period_start, count(*) FROM recorded GROUP BY 1, 2 ORDER BY 1, 2
ON CONFLICT (organization_id, period_start) DO UPDATE SET prints = counted.prints + excluded.prints`

export async function recordPrints(pool: Pool, prints: Print[]): Promise<void> {
  await pool.query({
    name: 'record prints',
    text: SQL,
    values: [
      prints.map(({ eventId }) => eventId),
      prints.map(({ organizationId }) => organizationId),
      prints.map(({ jobId }) => jobId),
      prints.map(({ jobCreatedAt }) => jobCreatedAt),
    ],
  })
}
