import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { type ChangeSource, UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

const MESSAGE = 'The destination of the job was deleted before a printer took the job.'

/** Skips jobs that a printer takes at the moment. The next sweep ends those that return. */
const OF_DELETED_DESTINATIONS: ChangeSource = {
  name: 'jobs of deleted destinations',
  sql: `SELECT job.id AS job_id, 'fail' AS trigger, 'system' AS actor, $2 AS message, $2 AS state_message,
          ARRAY['destination-deleted'] AS state_reasons, ${UNFENCED}, NULL AS traceparent
        FROM jobs.job JOIN jobs.destination_fence AS fence ON fence.destination_id = job.waiting_destination_id
        WHERE fence.deleted AND job.waiting_destination_id IS NOT NULL AND job.state = 'queued'
        ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job SKIP LOCKED`,
  values: [MESSAGE],
}

/**
 * Ends the jobs that wait for deleted destinations, including jobs that were created during the deletion. Scans only
 * the index `job_waiting`. Reference: docs/reference/destinations.md#deletion.
 */
export async function sweepDeletedDestinations(jobs: Jobs): Promise<void> {
  await changeInBatches(jobs, OF_DELETED_DESTINATIONS)
}
