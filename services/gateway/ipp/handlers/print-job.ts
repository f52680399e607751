import { v7 as uuidv7 } from 'uuid'
import { CREATED, JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { readNewJob } from '../new-job.ts'
import type { IppOperationRow } from '../operation.ts'
import { toJobFacts } from '../read-jobs.ts'
import { submitDocument } from '../submit-document.ts'

/** Answers after the commit of the job. A computer does not repeat it after a lost answer, but asks for its jobs. */
export const printJob: IppOperationRow = {
  name: 'Print-Job',
  hasDocument: true,
  handle: (gateway) => async (call) => {
    const { unsupported, ...facts } = readNewJob(call)
    const now = gateway.clock.now()
    // Lists read the time of the creation from this id.
    const jobId = uuidv7({ msecs: now.getTime() })
    const job = await submitDocument(gateway, call, { ...facts, jobId, submitted: false, document: call.document })
    const created = toJobFacts({ job }, { ...call, now })
    return { jobs: [selectAttributes(JOB_ATTRIBUTES, CREATED, created)], unsupported }
  },
}
