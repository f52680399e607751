import { RESENDS_MAX } from '@platen/resources/limits.ts'
import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { toWaiting } from '../to-waiting.ts'

/** SQL: the next trigger of an unacknowledged job and the message of its event. */
export const RESEND_TRIGGER = `CASE WHEN resend_count < ${RESENDS_MAX} THEN 'resend' ELSE 'requeue' END`
export const RESEND_MESSAGE = `CASE WHEN resend_count < ${RESENDS_MAX}
  THEN 'resend ' || (resend_count + 1) || '/${RESENDS_MAX}' END`

/** The row lock makes concurrent resends by a hello and by this timer see each other's count. */
const UNACKNOWLEDGED = `
SELECT id AS job_id, ${RESEND_TRIGGER} AS trigger, ${RESEND_MESSAGE} AS message FROM jobs.job
WHERE final_state IS NULL AND state = 'sent' AND pushed_at <= $2 ORDER BY pushed_at LIMIT ${BATCH}
FOR UPDATE SKIP LOCKED`

/**
 * Sends unacknowledged jobs again, up to 3 times, then returns them to `queued`. Reference:
 * docs/reference/print-jobs.md#resends.
 *
 * @param resendAfterMs since the job was last sent, by the server's clock.
 */
export async function sweepUnacknowledged(jobs: Jobs, resendAfterMs: number): Promise<void> {
  const sentBefore = new Date(jobs.clock.now().getTime() - resendAfterMs)
  const changed = await changeInBatches(jobs, systemChange('resend or requeue', UNACKNOWLEDGED, [sentBefore]))
  const waiting = changed.filter(({ state, waiting_destination_id: destination }) => state === 'sent' || destination)
  jobs.announceWaiting(waiting.map((job) => toWaiting(job)))
}
