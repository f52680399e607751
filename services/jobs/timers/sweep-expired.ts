import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { NEEDS_DOCUMENT } from '../states.ts'

/**
 * The newest jobs of a batch, so that a job of another organization does not wait behind many that expired together.
 */
const NEWEST = 50

const expired = (order: string, limit: number) => `
SELECT id FROM jobs.job
WHERE ${NEEDS_DOCUMENT} AND expires_at <= $2 ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED`

const EXPIRED = `
WITH oldest AS (${expired('expires_at', BATCH - NEWEST)}), newest AS (${expired('expires_at DESC', NEWEST)})
SELECT id AS job_id, 'expire' AS trigger, NULL AS message
FROM (SELECT id FROM oldest UNION SELECT id FROM newest) AS job`

/**
 * Expires jobs that no agent has received in time, by the clock of the server. Reference:
 * docs/reference/print-jobs.md#expiry.
 */
export async function sweepExpired(jobs: Jobs): Promise<void> {
  await changeInBatches(jobs, systemChange('expire', EXPIRED, [jobs.clock.now()]))
}
