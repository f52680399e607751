import { changeStates, systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { RESENDS_MAX } from '../states.ts'

const BATCH = 500

/** Counting is in the query: a resend by a hello and one by this timer, both at once, are one resend each or nothing. */
const due = (resends: string) => `
SELECT id AS job_id, ${resends} AS message FROM jobs.job
WHERE final_state IS NULL AND state = 'sent' AND pushed_at <= $2 AND resend_count`

const RESEND = `${due(`'resend ' || (resend_count + 1) || '/${RESENDS_MAX}'`)} < ${RESENDS_MAX}
ORDER BY pushed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`

const GIVE_BACK = `${due('NULL')} >= ${RESENDS_MAX} ORDER BY pushed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`

/**
 * Sends unacknowledged jobs again, up to 3 times, then returns them to `queued`. Reference: docs/reference/print-jobs.md#resends.
 *
 * @param resendAfterMs since the job was last sent, by the server's clock.
 */
export async function sweepUnacknowledged(jobs: Jobs, resendAfterMs: number): Promise<void> {
  const now = jobs.clock.now()
  const sentBefore = new Date(now.getTime() - resendAfterMs)
  const givenBack = await changeStates(jobs.pool, systemChange('give back', 'giveBack', GIVE_BACK, [sentBefore]), now)
  const resent = await changeStates(jobs.pool, systemChange('resend', 'resend', RESEND, [sentBefore]), now)
  if (givenBack.length > 0) jobs.eventsAdded()
  jobs.announceWaiting(resent.map(({ computer_id }) => [computer_id]))
}
