import { JOB, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const getPrintJob = operation({
  operationId: 'getPrintJob',
  method: 'get',
  path: '/v1/printjobs/{id}',
  ids: { id: 'print job' },
  scope: 'read',
  tag: 'Print jobs',
  summary: 'Read a print job',
  description: 'Returns the present state of the job. Poll at most once a second until `state` is final.',
  answer: { status: 200, description: 'The job.', schema: JOB },
  handle:
    ({ jobs }) =>
    async ({ tenant, ids }) => {
      const { job } = await jobs.getJob({ ...tenant, jobId: ids.id })
      return printJobToJson(required(job))
    },
})
