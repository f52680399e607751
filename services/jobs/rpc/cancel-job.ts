import type { CancelJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { type ChangeSource, changeStates } from '../change-state.ts'
import { JobEntity } from '../entities.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'
import type { JobState } from '../states.ts'

/** Why a job cannot be cancelled any more. */
const TOO_LATE: Partial<Record<JobState, string>> = {
  received: 'its computer has received it, and may be printing it already',
  printing: 'it is being printed',
  cancelled: 'it is cancelled already',
}

/**
 * Ends a job that no agent has received. Of a cancel and an acknowledgement at the same time one wins, and the other is told so: the agent
 * by Refused.
 *
 * @throws ApiError `not_found` also for a job of another organization or mode; `not_cancellable` with the reason.
 */
export async function cancelJob(jobs: Jobs, request: CancelJobRequest) {
  const { organizationId, mode, jobId } = request
  const [changed] = await changeStates(jobs.pool, cancelOf(request), jobs.clock.now())
  if (changed) {
    jobs.eventsAdded()
    // If it had been sent, its place at the agent is free.
    jobs.announceWaiting([[changed.computer_id]])
  }
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw new ApiError('not_found', 'There is no print job with this id.')
  if (!changed) {
    const why = TOO_LATE[job.state] ?? 'it has ended'
    throw new ApiError(
      'not_cancellable',
      `The job cannot be cancelled any more: ${why}. Its state is \`${job.state}\`.`,
    )
  }
  return { job: jobToProto(job) }
}

const cancelOf = ({ organizationId, mode, jobId, actor }: CancelJobRequest): ChangeSource => ({
  name: 'cancel',
  sql: `SELECT id AS job_id, 'cancel' AS trigger, $5 AS actor, NULL AS message, NULL AS state_message, NULL::text[] AS state_reasons,
          NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch, $6 AS traceparent
        FROM jobs.job WHERE id = $2 AND organization_id = $3 AND mode = $4`,
  values: [jobId, organizationId, mode, actor, currentTraceparent()],
})
