import { CANCELLABLE_STATES } from '@platen/resources/job-states.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Gateway } from '../../gateway.ts'
import type { AccessCall, IppOperationRow } from '../operation.ts'
import { type FoundJob, findJob, toJobFilter, toSubmissionOwner } from '../read-jobs.ts'
import { bad } from '../request.ts'
import { cancel } from './cancel-job.ts'

const JOBS_MAX = 100

/** Cancels the jobs of `job-ids`, or all of the print access on the printer, that no agent has received. */
export const cancelMyJobs: IppOperationRow = {
  name: 'Cancel-My-Jobs',
  handle: (gateway) => async (call) => {
    for (const found of await findCancellable(gateway, call)) {
      try {
        await cancel(gateway, call, found)
      } catch (error) {
        // Its agent has received it meanwhile.
        if (!(error instanceof ApiError) || error.code !== 'not_cancellable') throw error
      }
    }
    return {}
  },
}

async function findCancellable(gateway: Gateway, call: AccessCall): Promise<FoundJob[]> {
  const ids = call.operationAttributes.all('job-ids')
  if (ids) {
    if (ids.length > JOBS_MAX || !ids.every((id) => typeof id === 'number'))
      throw bad(`job-ids must have at most ${JOBS_MAX} numbers.`)
    const found: FoundJob[] = []
    for (const id of ids) found.push(await findJob(gateway, call, id))
    return found
  }
  const own = { ...call.tenant, createdBy: call.createdBy }
  const [{ jobs }, { submissions }] = await Promise.all([
    gateway.jobs.listNumberedJobs({
      ...own,
      ...toJobFilter(call.target),
      states: [...CANCELLABLE_STATES],
      limit: JOBS_MAX,
    }),
    gateway.jobs.listSubmissions({ ...own, ...toSubmissionOwner(call.target), openOnly: true }),
  ])
  return [...submissions.map((submission) => ({ submission })), ...jobs.map((job) => ({ job }))]
}
