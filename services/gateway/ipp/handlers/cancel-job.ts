import { getActor } from '../../caller.ts'
import type { Gateway } from '../../gateway.ts'
import type { AccessCall, IppOperationRow } from '../operation.ts'
import { type FoundJob, findJob, readJobNumber } from '../read-jobs.ts'
import { IppRefusal } from '../refusal.ts'

/** Ends a job that no agent has received. */
export const cancelJob: IppOperationRow = {
  name: 'Cancel-Job',
  handle: (gateway) => async (call) => {
    await cancel(gateway, call, await findJob(gateway, call, readJobNumber(call.operationAttributes)))
    return {}
  },
}

/** @throws ApiError `not_cancellable`; IppRefusal for a submission that has ended. */
export async function cancel({ jobs }: Gateway, call: AccessCall, found: FoundJob): Promise<void> {
  const { tenant, createdBy, caller } = call
  if ('job' in found) {
    await jobs.cancelJob({ ...tenant, jobId: found.job.id, actor: getActor(caller).actor, cancelledBy: createdBy })
    return
  }
  const { ended } = await jobs.endSubmission({ ...tenant, createdBy, id: found.submission.id, reason: 'cancelled' })
  if (!ended) throw new IppRefusal('client-error-not-possible', 'The job cannot be cancelled: it has ended.')
}
