import { type ChangeSource, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

const BATCH = 500

const MESSAGE = 'The computer of the printer was deleted.'
const AFTER_RECEIVED = `${MESSAGE} The job may have been printed.`

/** What an acknowledgement holds right now is found at the next turn. */
const ENDED: ChangeSource = {
  name: 'end of computers',
  sql: `SELECT job.id AS job_id, told.trigger, 'system' AS actor, told.message, told.message AS state_message,
          ARRAY['computer-deleted'] AS state_reasons, NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch,
          NULL AS traceparent
        FROM jobs.job JOIN jobs.computer_fence AS fence USING (computer_id)
        JOIN (VALUES ('queued', 'cancel', $2), ('sent', 'cancel', $2), ('received', 'fail', $3), ('printing', 'fail', $3))
          AS told (state, trigger, message) USING (state)
        WHERE fence.deleted AND job.final_state IS NULL
        ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job SKIP LOCKED`,
  values: [MESSAGE, AFTER_RECEIVED],
}

/**
 * Ends the jobs of deleted computers, including jobs that were created during the deletion. Scans only the index `job_active`.
 * Reference: docs/reference/computers.md#deletion.
 */
export async function sweepDeletedComputers(jobs: Jobs): Promise<void> {
  let found: number
  do {
    const ended = await changeStates(jobs.pool, ENDED, jobs.clock.now())
    found = ended.length
    if (found > 0) jobs.eventsAdded()
  } while (found === BATCH)
}
