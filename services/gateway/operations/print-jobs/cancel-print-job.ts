import { JOB, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { getActor, MANAGERS } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const cancelPrintJob = operation({
  operationId: 'cancelPrintJob',
  method: 'post',
  path: '/v1/printjobs/{id}/cancel',
  ids: { id: 'print job' },
  scope: 'print',
  roles: MANAGERS,
  tag: 'Print jobs',
  summary: 'Cancel a print job',
  description:
    'Cancels a job in `queued` or `sent`, which its agent has not yet received. For a job in any other state the response is `409 not_cancellable`, and the job does not change.',
  answer: { status: 200, description: 'The job, in `cancelled`.', schema: JOB },
  errors: ['not_cancellable'],
  handle:
    ({ jobs }) =>
    async ({ ctx, tenant, ids }) => {
      const { actor, by } = getActor(getCaller(ctx))
      const { job } = await jobs.cancelJob({ ...tenant, jobId: ids.id, actor, cancelledBy: by })
      return printJobToJson(required(job))
    },
})
