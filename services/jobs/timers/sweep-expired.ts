import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

const EXPIRED = `
SELECT id AS job_id, 'expire' AS trigger, NULL AS message FROM jobs.job
WHERE final_state IS NULL AND state IN ('queued', 'sent') AND expires_at <= $2 ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`

/** Expires jobs that no agent has received in time, by the clock of the server. Reference: docs/reference/print-jobs.md#expiry. */
export async function sweepExpired(jobs: Jobs): Promise<void> {
  await changeInBatches(jobs, systemChange('expire', EXPIRED, [jobs.clock.now()]))
}
