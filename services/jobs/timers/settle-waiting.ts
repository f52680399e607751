import type { Jobs } from '../jobs.ts'

/**
 * Release 0.1.0 knows no destinations. During an upgrade and after a rollback it sends jobs that wait for one to the
 * planned printer, and lets `waiting_destination_id` be. Takes them off the index `job_waiting`, where they would count
 * as waiting and, as the oldest ones, hide the others.
 */
export async function settleWaiting({ pool }: Pick<Jobs, 'pool'>): Promise<void> {
  await pool.query(
    `UPDATE jobs.job SET waiting_destination_id = NULL WHERE waiting_destination_id IS NOT NULL AND state <> 'queued'`,
  )
}
