import type { IppOperationRow } from '../operation.ts'
import { findJob, readJobNumber } from '../read-jobs.ts'
import { IppRefusal } from '../refusal.ts'

/** Changes nothing: a job is closed with its document, and one without a document ends. */
export const closeJob: IppOperationRow = {
  name: 'Close-Job',
  handle:
    ({ jobs }) =>
    async (call) => {
      const found = await findJob({ jobs }, call, readJobNumber(call.operationAttributes))
      if ('job' in found) return {}
      const { id, endReason } = found.submission
      if (endReason !== undefined)
        throw new IppRefusal('client-error-not-possible', 'This job has ended without a document.')
      await jobs.endSubmission({ ...call.tenant, createdBy: call.createdBy, id, reason: 'interrupted' })
      return {}
    },
}
