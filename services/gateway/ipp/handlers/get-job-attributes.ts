import { JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { explainJob } from '../explain-job.ts'
import type { IppOperationRow } from '../operation.ts'
import { findJob, readJobNumber, toJobFacts } from '../read-jobs.ts'

export const getJobAttributes: IppOperationRow = {
  name: 'Get-Job-Attributes',
  handle: (gateway) => async (call) => {
    const found = await findJob(gateway, call, readJobNumber(call.operationAttributes))
    const facts = toJobFacts(found, { ...call, now: gateway.clock.now() })
    if ('job' in found) facts.message = (await explainJob(gateway, call.tenant, found.job)) ?? facts.message
    const requested = call.operationAttributes.all('requested-attributes')
    return { jobs: [selectAttributes(JOB_ATTRIBUTES, requested, facts)] }
  },
}
