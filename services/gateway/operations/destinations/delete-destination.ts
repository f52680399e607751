import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { LARGE, operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'
import { describeJobs } from './destination-fields.ts'

export const deleteDestination = operation({
  operationId: 'deleteDestination',
  method: 'delete',
  path: '/v1/destinations/{id}',
  ids: { id: 'destination' },
  scope: 'admin',
  tag: 'Destinations',
  summary: 'Delete a destination',
  description:
    'Deletes the destination. If jobs wait for it, the request is refused and says how many, unless `waitingJobs` is `end`. They then end in `error` with the reason `destination-deleted`. Jobs that a printer has taken stay there.',
  query: z.strictObject({
    waitingJobs: z.literal('end', 'must be `end`').optional().meta({ description: '`end` ends the jobs that wait.' }),
  }),
  units: LARGE,
  answer: { status: 204, description: 'The destination is deleted.' },
  errors: ['destination_in_use'],
  handle:
    (gateway) =>
    async ({ tenant, ids, query }) => {
      const { devices } = gateway
      const destinationId = ids.id
      const { destination } = await devices.getDestination({ ...tenant, destinationId })
      const { queues } = await describeJobs(gateway, tenant, [required(destination)])
      const count = queues[0]?.jobs ?? 0
      if (count > 0 && query.filters.waitingJobs !== 'end')
        throw new ApiError(
          'destination_in_use',
          `${count === 1 ? '1 job waits' : `${count} jobs wait`} for the destination. Cancel them, or send \`waitingJobs=end\`, which ends them in \`error\`.`,
        )
      await devices.deleteDestination({ ...tenant, destinationId })
    },
})
