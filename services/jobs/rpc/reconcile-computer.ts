import type { ReconcileComputerRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type ChangeSource, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE } from '../states.ts'
import { RESEND_MESSAGE, RESEND_TRIGGER } from '../timers/sweep-unacknowledged.ts'
import { toWaiting } from '../to-waiting.ts'

const MESSAGE =
  'The agent has lost its record of this job. The job may have been printed and is not printed again automatically.'

/** A hello that a newer one has overtaken does not raise the fence. */
const RAISE_FENCE = `
INSERT INTO jobs.computer_fence AS fence (computer_id, epoch) VALUES ($1, $2)
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch WHERE fence.epoch < excluded.epoch`

/** Guarded by the attempt, because a concurrent resend leaves the job to the next hello or timer. */
const MISSING = `
SELECT id AS job_id, CASE state WHEN 'sent' THEN ${RESEND_TRIGGER} ELSE 'fail' END AS trigger, 'system' AS actor,
  CASE state WHEN 'sent' THEN ${RESEND_MESSAGE} ELSE $5::text END AS message,
  CASE WHEN state <> 'sent' THEN $5::text END AS state_message,
  CASE WHEN state <> 'sent' THEN ARRAY['unconfirmed'] END AS state_reasons,
  computer_id,
  attempt,
  $3::bigint AS epoch,
  NULL AS traceparent,
  NULL::text AS confirmed_by
FROM jobs.job
WHERE computer_id = $2 AND ${IS_ACTIVE} AND (state = 'sent' OR state <> 'queued' AND NOT $6)
  AND NOT id = ANY($4::uuid[])`

/**
 * Jobs that the agent holds and must not print, because they have ended or were deleted since
 * (`timers/sweep-old-jobs.ts`). An agent holds a job that is `done` if the confirmation of its report was lost, or if
 * the agent was restored from a backup. Later reports of the agent do not change these jobs. Jobs that it does not hold
 * need no removal.
 */
const ENDED = `
WITH removed AS (DELETE FROM jobs.removal WHERE computer_id = $1 AND NOT job_id = ANY($2::uuid[]))
SELECT held.id FROM unnest($2::uuid[]) AS held (id) LEFT JOIN jobs.job ON job.id = held.id
WHERE job.id IS NULL OR (computer_id = $1 AND final_state IS NOT NULL)`

/**
 * Reconciles the jobs of a computer with the jobs that its agent holds, after a hello. First raises the fence, so that
 * older streams can no longer claim or acknowledge. Then resends the unacknowledged jobs that the agent does not hold,
 * or requeues them after the last resend. Acknowledged jobs that the agent does not hold end as `unconfirmed`, because
 * its journal is lost and they may have been printed. If an older agent with the same credential may still report them,
 * they end at a later hello.
 *
 * @returns the held jobs that have ended or are unknown, which the agent removes.
 */
export async function reconcileComputer(jobs: Jobs, request: ReconcileComputerRequest) {
  const { computerId, epoch, heldJobIds, isShared } = request
  await jobs.pool.query(RAISE_FENCE, [computerId, epoch])
  const values = [computerId, epoch, heldJobIds, MESSAGE, isShared]
  const missing: ChangeSource = { name: 'reconcile', sql: MISSING, values }
  const changed = await changeStates(jobs.pool, missing, jobs.clock.now())
  if (changed.length > 0) jobs.eventsAdded()
  // Any printer of their destinations may take jobs that return there.
  jobs.announceWaiting(changed.filter((job) => job.waiting_destination_id).map((job) => toWaiting(job)))
  const ended = await jobs.pool.query<{ id: string }>(ENDED, [computerId, heldJobIds])
  return { endedJobIds: ended.rows.map(({ id }) => id) }
}
