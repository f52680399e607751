import { z } from 'zod'
import { getActor, MANAGERS } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { LARGE, operation } from '../../operation/operation.ts'

const CANCELLED = z
  .object({
    cancelled: z.int().meta({ description: 'The number of jobs that are now `cancelled`.', example: 7 }),
    notCancelled: z.int().meta({
      description: 'The number of the other jobs: their agents had received them, or they had ended.',
      example: 3,
    }),
  })
  .meta({ id: 'CancelledBatch', description: 'The numbers of jobs that a cancellation ended and did not end.' })

export const cancelPrintJobBatch = operation({
  operationId: 'cancelPrintJobBatch',
  method: 'post',
  path: '/v1/printjobs/batches/{id}/cancel',
  ids: { id: 'batch' },
  scope: 'print',
  roles: MANAGERS,
  tag: 'Print jobs',
  summary: 'Cancel a batch of print jobs',
  description:
    'Cancels the jobs of the batch in `queued` or `sent`, which their agents have not yet received, and says how many. The others do not change.',
  units: LARGE,
  answer: { status: 200, description: 'The numbers of jobs.', schema: CANCELLED },
  handle:
    ({ jobs }) =>
    async ({ ctx, tenant, ids }) => {
      const { actor, by } = getActor(getCaller(ctx))
      const { cancelled, notCancelled } = await jobs.cancelBatch({
        ...tenant,
        batchId: ids.id,
        actor,
        cancelledBy: by,
      })
      return { cancelled, notCancelled }
    },
})
