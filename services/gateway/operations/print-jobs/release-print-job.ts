import { JOB, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const releasePrintJob = operation({
  operationId: 'releasePrintJob',
  method: 'post',
  path: '/v1/printjobs/{id}/release',
  ids: { id: 'print job' },
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Release a held print job',
  description:
    'Lets a job that was created with `hold` be printed. It takes its turn by the time of its acceptance. A job that waits for its `notBefore` as well goes on waiting for it. For a job that is not held, or no longer `queued`, the response is the job as it is.',
  answer: { status: 200, description: 'The job. A held one is in `queued`.', schema: JOB },
  handle:
    ({ jobs }) =>
    async ({ tenant, ids }) => {
      const { job } = await jobs.releaseJob({ ...tenant, jobId: ids.id })
      return printJobToJson(required(job))
    },
})
