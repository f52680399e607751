import type { Jobs } from '../jobs.ts'
import { SCHEDULED } from '../states.ts'
import { toWaiting, type WaitingRow } from '../to-waiting.ts'

/** Jobs of one statement. */
const BATCH = 1_000

/**
 * The index keeps released jobs until they end. The jobs of a batch are released by one statement, so that a printer
 * that gets the first of them can get all. Locks in the order of ids, and waits for another replica, which would
 * otherwise release a part of a batch.
 */
const RELEASE = `
WITH due AS MATERIALIZED (
  SELECT id, batch_id FROM jobs.job
  WHERE final_state IS NULL AND not_before <= $1 AND '${SCHEDULED}' = ANY(state_reasons)
  ORDER BY id LIMIT ${BATCH}
),
released AS MATERIALIZED (
  SELECT id FROM jobs.job
  WHERE id = ANY (ARRAY(SELECT id FROM due UNION SELECT other.id FROM due JOIN jobs.job AS other USING (batch_id)))
    AND '${SCHEDULED}' = ANY(state_reasons)
  ORDER BY id FOR UPDATE
)
UPDATE jobs.job SET state_reasons = array_remove(state_reasons, '${SCHEDULED}') FROM released WHERE job.id = released.id
RETURNING job.computer_id, job.waiting_destination_id, job.id`

/**
 * Releases all jobs whose `notBefore` has come, by the clock of the server, so that none waits behind those of another
 * organization. Reference: docs/reference/print-jobs.md#held-and-scheduled-jobs.
 */
export async function releaseScheduled(jobs: Jobs): Promise<void> {
  for (let count = BATCH; count >= BATCH; ) {
    const { rows } = await jobs.pool.query<WaitingRow & { id: string }>({
      name: 'release scheduled jobs',
      text: RELEASE,
      values: [jobs.clock.now()],
    })
    jobs.announceWaiting(rows.map((row) => toWaiting(row, row.id)))
    count = rows.length
  }
}
