import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

/** Part of the API: docs/reference/print-jobs.md#spooler-timeout.15m. */
const MESSAGE = 'spooler timeout'

/** The statement that ends the job also inserts its removal. `$1` is the time of the change. */
const OVERDUE = `
INSERT INTO jobs.removal (job_id, computer_id, created_at)
SELECT id, computer_id, $1::timestamptz FROM jobs.job
WHERE final_state IS NULL AND state = 'printing' AND printing_at <= $2 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
ON CONFLICT (job_id) DO UPDATE SET created_at = excluded.created_at
RETURNING job_id, 'timeOut' AS trigger, 'system' AS actor, $3 AS message, $3 AS state_message,
  ARRAY['spooler-timeout'] AS state_reasons, ${UNFENCED}, NULL AS traceparent`

/**
 * Ends jobs that a spooler has not finished in time, by the clock of the server. Their agents must remove them, so that they are not
 * printed later. Reference: docs/reference/print-jobs.md#spooler-timeout.
 *
 * @param timeoutMs since the job entered `printing`.
 */
export async function sweepPrinting(jobs: Jobs, timeoutMs: number): Promise<void> {
  const values = [new Date(jobs.clock.now().getTime() - timeoutMs), MESSAGE]
  const ended = await changeInBatches(jobs, { sql: OVERDUE, values })
  jobs.announceWaiting(ended.map(({ computer_id }) => [computer_id]))
}
