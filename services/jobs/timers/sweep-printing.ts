import { type ChangeSource, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

const BATCH = 500

/** Part of the API: docs/reference/print-jobs.md#spooler-timeout.15m. */
const MESSAGE = 'spooler timeout'

/**
 * The order to the agent is written down in the statement that ends the job (`$1` is its time), so that there is none without the
 * other.
 */
const OVERDUE = `
INSERT INTO jobs.removal (job_id, computer_id, created_at)
SELECT id, computer_id, $1::timestamptz FROM jobs.job
WHERE final_state IS NULL AND state = 'printing' AND printing_at <= $2 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
ON CONFLICT (job_id) DO UPDATE SET created_at = excluded.created_at
RETURNING job_id, 'timeOut' AS trigger, 'system' AS actor, $3 AS message, $3 AS state_message,
  ARRAY['spooler-timeout'] AS state_reasons, NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch,
  NULL AS traceparent`

/**
 * Ends jobs that a spooler has not finished in time, by the clock of the server, and orders the agents to remove them, so that they are not
 * printed later. Reference: docs/reference/print-jobs.md#spooler-timeout.
 *
 * @param timeoutMs since the job entered `printing`.
 */
export async function sweepPrinting(jobs: Jobs, timeoutMs: number): Promise<void> {
  const now = jobs.clock.now()
  const values = [new Date(now.getTime() - timeoutMs), MESSAGE]
  const source: ChangeSource = { sql: OVERDUE, values }
  let found: number
  do {
    const ended = await changeStates(jobs.pool, source, now)
    found = ended.length
    if (found > 0) jobs.eventsAdded()
    jobs.announceWaiting(ended.map(({ computer_id }) => [computer_id]))
  } while (found === BATCH)
}
