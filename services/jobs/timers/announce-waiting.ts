import type { Jobs } from '../jobs.ts'
import { IS_HELD_BACK } from '../states.ts'

/**
 * Announces the computers with jobs to claim or to remove again, so that a lost announcement or a failed claim costs at most one interval
 * of this timer.
 */
export async function announceWaiting(jobs: Jobs): Promise<void> {
  const { rows } = await jobs.pool.query<{ computer_id: string }>(
    `SELECT DISTINCT computer_id FROM jobs.job WHERE final_state IS NULL AND ((state = 'queued' AND NOT ${IS_HELD_BACK}) OR (state = 'sent' AND push_due))
     UNION SELECT computer_id FROM jobs.removal`,
  )
  jobs.announceWaiting(rows.map(({ computer_id }) => [computer_id]))
}
