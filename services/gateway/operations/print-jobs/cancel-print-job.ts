import { JOB } from '@platen/resources/print-job-schema.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { operation } from '../../operation.ts'
import { required } from '../../required.ts'

export const cancelPrintJob = operation({
  operationId: 'cancelPrintJob',
  method: 'post',
  path: '/v1/printjobs/{id}/cancel',
  ids: { id: 'print job' },
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Cancel a print job',
  description:
    'Stops a job that its agent has not yet received: one in `queued` or `sent`. A job that is further, over, or cancelled already answers `409 not_cancellable` and stays as it is.',
  answer: { status: 200, description: 'The job, in `cancelled`.', schema: JOB },
  errors: ['forbidden', 'not_cancellable'],
  handle:
    ({ jobs }) =>
    async ({ tenant, ids }) => {
      const { job } = await jobs.cancelJob({ ...tenant, jobId: ids.id, actor: 'api' })
      return printJobToJson(required(job))
    },
})
