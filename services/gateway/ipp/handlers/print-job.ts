import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Gateway } from '../../gateway.ts'
import { CREATED, JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { readNewJob } from '../new-job.ts'
import type { AccessCall, IppOperationRow } from '../operation.ts'
import { toJobFacts } from '../read-jobs.ts'
import { requireCreated, submitDocument } from '../submit-document.ts'

/** Answers after the commit of the job. A computer does not repeat it after a lost answer, but asks for its jobs. */
export const printJob: IppOperationRow = {
  name: 'Print-Job',
  hasDocument: true,
  handle: (gateway) => async (call) => {
    const { unsupported, ...facts } = readNewJob(call)
    const now = gateway.clock.now()
    // Lists read the time of the creation from this id.
    const jobId = uuidv7({ msecs: now.getTime() })
    const submitted = { ...facts, jobId, submitted: false, document: call.document }
    const find = () => findCreated(gateway, call, jobId)
    const job = await submitDocument(gateway, call, submitted).catch((error: unknown) => requireCreated(error, find))
    const created = toJobFacts({ job }, { ...call, now })
    return { jobs: [selectAttributes(JOB_ATTRIBUTES, CREATED, created)], unsupported }
  },
}

async function findCreated({ jobs }: Gateway, { tenant }: AccessCall, jobId: string): Promise<Job | undefined> {
  try {
    return (await jobs.getJob({ ...tenant, jobId })).job
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}
