import { DESTINATION } from '@platen/resources/destination-schema.ts'
import { operation } from '../../operation/operation.ts'
import { destinationToJson } from './destination-fields.ts'

export const getDestination = operation({
  operationId: 'getDestination',
  method: 'get',
  path: '/v1/destinations/{id}',
  ids: { id: 'destination' },
  scope: 'read',
  tag: 'Destinations',
  summary: 'Read a destination',
  description: 'Returns the destination with what each of its printers does now, and which one would get the next job.',
  answer: { status: 200, description: 'The destination.', schema: DESTINATION },
  handle:
    (gateway) =>
    async ({ tenant, ids }) => {
      const { destination } = await gateway.devices.getDestination({ ...tenant, destinationId: ids.id })
      return await destinationToJson(gateway, tenant, destination)
    },
})
