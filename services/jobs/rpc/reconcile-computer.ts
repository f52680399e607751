import type { ReconcileComputerRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type AskedChange, askedChanges, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { type JobState, RESENDS_MAX } from '../states.ts'

/** Guarded: a hello that was overtaken by a newer one raises nothing. */
const RAISE_FENCE = `
INSERT INTO jobs.computer_fence AS fence (computer_id, epoch) VALUES ($1, $2)
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch WHERE fence.epoch < excluded.epoch`

/**
 * What the agent holds and should not print: whatever it has to say of it changes nothing any more. Of what it does not hold it has
 * nothing to remove.
 */
const ENDED = `
WITH forgotten AS (DELETE FROM jobs.removal WHERE computer_id = $1 AND NOT job_id = ANY($2::uuid[]))
SELECT id FROM jobs.job
WHERE id = ANY($2::uuid[]) AND computer_id = $1 AND state IN ('error', 'cancelled', 'expired')`

interface OpenRow {
  id: string
  state: JobState
  attempt: number
  resend_count: number
}

/**
 * Settles jobs and agent after a hello. The fence is raised first, so no older stream can claim or acknowledge any more; then
 * the jobs that the agent was sent but does not hold are sent again, or given back when the resends are used up, and those that
 * it had acknowledged and does not know any more (its journal is gone) end as `unconfirmed`, since they may have been printed.
 *
 * @returns what has ended while the agent was away, so that it removes it.
 */
export async function reconcileComputer(jobs: Jobs, request: ReconcileComputerRequest) {
  const { computerId, epoch, heldJobIds } = request
  await jobs.pool.query(RAISE_FENCE, [computerId, epoch])
  const { rows } = await jobs.pool.query<OpenRow>(
    `SELECT id, state, attempt, resend_count FROM jobs.job
     WHERE computer_id = $1 AND final_state IS NULL AND state <> 'queued' AND NOT id = ANY($2::uuid[])`,
    [computerId, heldJobIds],
  )
  if (rows.length > 0) {
    const changes = rows.map(
      // What was sent anew since it was read is on its way: it is left to the next hello or timer.
      (row): AskedChange => ({
        ...changeFor(row),
        jobId: row.id,
        attempt: row.attempt,
        computerId,
        epoch,
        actor: 'system',
      }),
    )
    await changeStates(jobs.pool, askedChanges(changes), jobs.clock.now())
    jobs.eventsAdded()
  }
  const ended = await jobs.pool.query<{ id: string }>(ENDED, [computerId, heldJobIds])
  return { endedJobIds: ended.rows.map(({ id }) => id) }
}

function changeFor({
  state,
  resend_count,
}: OpenRow): Pick<AskedChange, 'trigger' | 'message' | 'stateMessage' | 'stateReasons'> {
  if (state === 'sent') {
    if (resend_count >= RESENDS_MAX) return { trigger: 'giveBack' }
    return { trigger: 'resend', message: `resend ${resend_count + 1}/${RESENDS_MAX}` }
  }
  const message =
    'The agent has lost its record of this job. It may have been printed; it is not printed again by itself.'
  return { trigger: 'fail', message, stateMessage: message, stateReasons: ['unconfirmed'] }
}
