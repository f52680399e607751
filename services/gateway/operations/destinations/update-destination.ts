import { DESTINATION } from '@platen/resources/destination-schema.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { jsonChanges } from '../../request/json-body-schema.ts'
import {
  destinationToJson,
  EXPIRE_AFTER,
  NAME,
  POLICY,
  PRINTERS,
  STANDBY_AFTER,
  toPrinterIds,
} from './destination-fields.ts'

const DESTINATION_CHANGES = jsonChanges({
  name: NAME.optional().meta({ description: 'The new name. Jobs keep their destination.', example: 'kitchen' }),
  printers: PRINTERS.optional().meta({
    description: 'The printers in their order, each by its id or its `number`. They replace the earlier ones.',
    example: [EXAMPLE_IDS.printer],
  }),
  policy: POLICY.optional().meta({ description: 'The choice of the printer that takes the next job.', example: 'any' }),
  standbyAfter: STANDBY_AFTER.optional().meta({
    description: 'The number of seconds for which each earlier printer must be unavailable.',
    example: 30,
  }),
  enabled: z.boolean('must be true or false').optional().meta({
    description: 'False refuses new jobs, and waiting jobs wait until it is true again, or expire.',
    example: true,
  }),
  expireAfter: EXPIRE_AFTER.nullish().meta({
    description: 'The `expireAfter` of its jobs that do not have one. Null removes it.',
    example: 3600,
  }),
}).meta({
  id: 'DestinationChanges',
  description: 'The changes. Omitted fields do not change; an empty object changes nothing.',
})

export const updateDestination = operation({
  operationId: 'updateDestination',
  method: 'patch',
  path: '/v1/destinations/{id}',
  ids: { id: 'destination' },
  scope: 'admin',
  tag: 'Destinations',
  summary: 'Change a destination',
  description:
    'Changes only the sent fields, also for the jobs that wait. After the response, no printer takes a job that the destination no longer gives to it. Jobs that a printer has taken stay there.',
  body: DESTINATION_CHANGES,
  answer: { status: 200, description: 'The changed destination.', schema: DESTINATION },
  handle:
    (gateway) =>
    async ({ tenant, ids, body: { printers, expireAfter, ...fields } }) => {
      const { destination } = await gateway.devices.updateDestination({
        ...tenant,
        ...fields,
        destinationId: ids.id,
        printers: printers && { ids: await toPrinterIds(gateway, tenant, printers) },
        expireAfter: expireAfter === undefined ? undefined : { seconds: expireAfter ?? undefined },
      })
      return await destinationToJson(gateway, tenant, destination)
    },
})
