import type { CancelJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobState } from '@platen/resources/job-states.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { type ChangeSource, changeStates, UNFENCED } from '../change-state.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { jobNotFound } from './get-job.ts'

const NOT_CANCELLABLE: Partial<Record<JobState, string>> = {
  received: 'its computer has received it and may already be printing it',
  printing: 'it is being printed',
  cancelled: 'it is already cancelled',
}

/**
 * Ends a job that no agent has received. If a cancel and an acknowledgement are concurrent, one of them succeeds. The
 * agent then gets Refused, or the caller an error. Reference: docs/reference/print-jobs.md#cancel.
 *
 * @throws ApiError `not_found` also for a job of another organization or mode; `not_cancellable` with the reason.
 */
export async function cancelJob(jobs: Jobs, request: CancelJobRequest) {
  const { organizationId, mode, jobId } = request
  const [changed] = await changeStates(jobs.pool, toCancellation('id', { ...request, id: jobId }), jobs.clock.now())
  if (changed) {
    jobs.eventsAdded()
    // A sent job used a slot of the stream's window.
    jobs.announceWaiting([[changed.computer_id]])
  }
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  if (!changed) {
    const reason = NOT_CANCELLABLE[job.state] ?? 'it has ended'
    throw new ApiError('not_cancellable', `The job cannot be cancelled: ${reason}. Its state is \`${job.state}\`.`)
  }
  return { job: jobToProto(job) }
}

/** @param column whose value is the id. */
export const toCancellation = (
  column: 'id' | 'batch_id',
  { organizationId, mode, id, actor, cancelledBy }: Omit<CancelJobRequest, 'jobId' | '$typeName'> & { id: string },
): ChangeSource => ({
  name: column === 'id' ? 'cancel' : 'cancel batch',
  sql: `SELECT id AS job_id, 'cancel' AS trigger, $5 AS actor, NULL AS message, '' AS state_message,
          '{}'::text[] AS state_reasons, ${UNFENCED}, $6 AS traceparent
        FROM jobs.job WHERE ${column} = $2 AND organization_id = $3 AND mode = $4`,
  values: [id, organizationId, mode, actor, currentTraceparent(), cancelledBy],
  cancelledBy: '$7',
})
