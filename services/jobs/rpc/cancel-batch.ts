import type { CancelBatchRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { changeStates } from '../change-state.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { toCancellation } from './cancel-job.ts'

/**
 * Cancels the jobs of a batch that no agent has received, each as `cancelJob` does. A repeated call cancels none.
 *
 * @throws ApiError `not_found` also for a batch of another organization or mode.
 */
export async function cancelBatch(jobs: Jobs, request: CancelBatchRequest) {
  const { organizationId, mode, batchId } = request
  const changed = await changeStates(
    jobs.pool,
    toCancellation('batch_id', { ...request, id: batchId }),
    jobs.clock.now(),
  )
  if (changed.length > 0) {
    jobs.eventsAdded()
    // Sent jobs used slots of the windows of their streams.
    jobs.announceWaiting([...new Set(changed.map(({ computer_id }) => computer_id))].map((id) => [id]))
  }
  const count = await jobs.orm.em.fork().count(JobEntity, { batchId, organizationId, mode })
  if (count === 0) throw new ApiError('not_found', `There is no batch with this id in ${mode} mode.`)
  return { cancelled: changed.length, notCancelled: count - changed.length }
}
