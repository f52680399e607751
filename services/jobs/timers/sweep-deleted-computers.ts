import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { type ChangeSource, UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE } from '../states.ts'

const MESSAGE = 'The computer of the printer was deleted.'
const AFTER_RECEIVED = `${MESSAGE} The job may have been printed.`

/** Skips jobs that a concurrent acknowledgement has locked. The next sweep ends them. */
const OF_DELETED_COMPUTERS: ChangeSource = {
  name: 'jobs of deleted computers',
  sql: `SELECT job.id AS job_id, change.trigger, 'system' AS actor, change.message, change.message AS state_message,
          ARRAY['computer-deleted'] AS state_reasons, ${UNFENCED}, NULL AS traceparent
        FROM jobs.job JOIN jobs.computer_fence AS fence USING (computer_id)
        JOIN (VALUES ('queued', 'cancel', $2), ('sent', 'cancel', $2), ('received', 'fail', $3),
          ('printing', 'fail', $3))
          AS change (state, trigger, message) USING (state)
        WHERE fence.deleted AND ${IS_ACTIVE}
        ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job SKIP LOCKED`,
  values: [MESSAGE, AFTER_RECEIVED],
}

/**
 * Ends the jobs of deleted computers, including jobs that were created during the deletion. Scans only the index
 * `job_active`. Reference: docs/reference/computers.md#deletion.
 */
export async function sweepDeletedComputers(jobs: Jobs): Promise<void> {
  await changeInBatches(jobs, OF_DELETED_COMPUTERS)
}
