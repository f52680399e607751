import type { Jobs } from '../jobs.ts'

/**
 * Says again which computers have jobs to claim or to remove, so that a wake that got lost, or a claim that failed, only costs one turn
 * of this timer. Computers that are offline do not listen.
 */
export async function announceWaiting(jobs: Jobs): Promise<void> {
  const { rows } = await jobs.pool.query<{ computer_id: string }>(
    `SELECT DISTINCT computer_id FROM jobs.job WHERE final_state IS NULL AND (state = 'queued' OR (state = 'sent' AND push_due))
     UNION SELECT computer_id FROM jobs.removal`,
  )
  jobs.announceWaiting(rows.map(({ computer_id }) => [computer_id]))
}
