import { v7 as uuidv7 } from 'uuid'
import { required } from '../../required.ts'
import { CREATED, JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { packOptions, readNewJob } from '../new-job.ts'
import type { IppOperationRow } from '../operation.ts'
import { toJobFacts, toSubmissionOwner } from '../read-jobs.ts'

/**
 * Begins a job whose document follows. It is durable before the answer, so that a computer that asks for the job after
 * a failure learns that nothing was printed.
 */
export const createJob: IppOperationRow = {
  name: 'Create-Job',
  handle: (gateway) => async (call) => {
    const { unsupported, ...facts } = readNewJob(call)
    const now = gateway.clock.now()
    const { submission } = await gateway.jobs.createSubmission({
      ...call.tenant,
      id: uuidv7({ msecs: now.getTime() }),
      ...toSubmissionOwner(call.target),
      createdBy: call.createdBy,
      title: facts.title,
      reportedUser: facts.reportedUser || undefined,
      options: packOptions(facts),
    })
    const created = toJobFacts({ submission: required(submission) }, { ...call, now })
    return { jobs: [selectAttributes(JOB_ATTRIBUTES, CREATED, created)], unsupported }
  },
}
