import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE, IS_HELD_BACK } from '../states.ts'
import { toWaiting, type WaitingRow } from '../to-waiting.ts'

/**
 * Announces the computers and destinations with jobs to claim or to remove again, so that a lost announcement or a
 * failed claim costs at most one interval of this timer.
 */
export async function announceWaiting(jobs: Jobs): Promise<void> {
  const { rows } = await jobs.pool.query<WaitingRow>(
    `SELECT DISTINCT computer_id, NULL::uuid AS waiting_destination_id FROM jobs.job
     WHERE ${IS_ACTIVE} AND ((state = 'queued' AND NOT ${IS_HELD_BACK}) OR push_due)
     UNION SELECT computer_id, NULL FROM jobs.removal
     UNION SELECT NULL, waiting_destination_id FROM jobs.job
     WHERE waiting_destination_id IS NOT NULL AND NOT ${IS_HELD_BACK}`,
  )
  jobs.announceWaiting(rows.map((row) => toWaiting(row)))
}
