import { STOPPING_KEYWORDS } from '@platen/resources/state-reasons.ts'
import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { type Trigger, toSqlList } from '../states.ts'

/** Part of the API: docs/reference/print-jobs.md#spooler-timeout.15m. */
const SPOOLER_TIMEOUT = 'spooler timeout'

const UNCONFIRMED =
  'The agent did not report the outcome of the job within one day of its expiry. The job may have been printed and is not printed again automatically.'

/** A working agent ends a job that has not begun to print at its expiry. */
const UNCONFIRMED_AFTER_MS = 24 * 60 * 60 * 1000

/** What stopped the printer of a job to be removed, as its agent reported last. Found by the primary key. */
const FAULTS = `ARRAY(SELECT reason FROM jobs.job, unnest(state_reasons) AS reason
    WHERE job.id = removal.job_id AND reason IN (${toSqlList(STOPPING_KEYWORDS)}))`

/**
 * The statement that ends the job also inserts its removal. `$1` is the time of the change, `$2` that until which jobs
 * are overdue.
 *
 * @param reasons SQL of an array.
 */
const overdue = (condition: string, trigger: Trigger, reasons: string) => `
INSERT INTO jobs.removal (job_id, computer_id, created_at)
SELECT id, computer_id, $1::timestamptz FROM jobs.job
WHERE final_state IS NULL AND ${condition} ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
ON CONFLICT (job_id) DO UPDATE SET created_at = excluded.created_at
RETURNING job_id, '${trigger}' AS trigger, 'system' AS actor, $3 AS message, $3 AS state_message,
  ${reasons} AS state_reasons, ${UNFENCED}, NULL AS traceparent`

/** A printer that says of each label that it is printed has a day in all. */
const PRINTING = overdue(
  `state = 'printing' AND printing_at <= $2
    AND (progress_at IS NULL OR progress_at <= $2 OR printing_at <= $1::timestamptz - interval '24 hours')`,
  'timeOut',
  `ARRAY['spooler-timeout'] || ${FAULTS}`,
)
const RECEIVED = overdue(`state = 'received' AND expires_at <= $2`, 'fail', `ARRAY['unconfirmed']`)

/**
 * Ends jobs that a spooler has not finished in time and jobs whose agent does not report their outcome, by the clock of
 * the server. Their agents must remove them, so that they are not printed later. Reference:
 * docs/reference/print-jobs.md#spooler-timeout and #lost-agents.
 */
export async function sweepOverdue(jobs: Jobs): Promise<void> {
  const now = jobs.clock.now().getTime()
  const end = async (sql: string, overdueMs: number, message: string) => {
    const ended = await changeInBatches(jobs, { sql, values: [new Date(now - overdueMs), message] })
    jobs.announceWaiting(ended.map(({ computer_id }) => [computer_id]))
  }
  await end(PRINTING, jobs.printingTimeoutMs, SPOOLER_TIMEOUT)
  await end(RECEIVED, UNCONFIRMED_AFTER_MS, UNCONFIRMED)
}
