import { DESTINATION } from '@platen/resources/destination-schema.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { DESTINATION_LIMITS } from '@platen/resources/limits.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import {
  destinationToJson,
  EXPIRE_AFTER,
  NAME,
  POLICY,
  PRINTERS,
  STANDBY_AFTER,
  toPrinterIds,
} from './destination-fields.ts'

const { default: standbyAfterDefault } = DESTINATION_LIMITS.standbyAfterSeconds

const NEW_DESTINATION = jsonBody({
  name: NAME.meta({ description: 'The name. No other destination of the mode can have it.', example: 'kitchen' }),
  printers: PRINTERS.meta({
    description: 'The printers in their order, each by its id or its `number`, all of the mode of the key.',
    example: [EXAMPLE_IDS.printer],
  }),
  policy: POLICY.default('first').meta({
    description:
      'The choice of the printer that takes the next job: the `first` available one of the list, or `any` available one.',
    example: 'first',
  }),
  standbyAfter: STANDBY_AFTER.default(standbyAfterDefault).meta({
    description:
      'The number of seconds for which each earlier printer must be unavailable before a later one takes a job, of the policy `first`.',
    example: standbyAfterDefault,
  }),
  enabled: z
    .boolean('must be true or false')
    .default(true)
    .meta({ description: 'True if the destination accepts jobs.', example: true }),
  expireAfter: EXPIRE_AFTER.optional().meta({
    description:
      'The `expireAfter` of its jobs that do not have one, so that no old tickets are printed in the morning.',
    example: 3600,
  }),
}).meta({ id: 'DestinationRequest', description: 'A name and the printers behind it.' })

export const createDestination = operation({
  operationId: 'createDestination',
  method: 'post',
  path: '/v1/destinations',
  scope: 'admin',
  tag: 'Destinations',
  summary: 'Create a destination',
  description:
    'Creates a destination. Jobs that are sent to it wait without a printer, and the printer that may take the next job takes it.',
  body: NEW_DESTINATION,
  answer: { status: 201, description: 'The destination.', schema: DESTINATION },
  errors: ['not_found', 'limit_reached'],
  handle:
    (gateway) =>
    async ({ tenant, body: { printers, ...fields } }) => {
      const printerIds = await toPrinterIds(gateway, tenant, printers)
      const { destination } = await gateway.devices.createDestination({ ...tenant, ...fields, printerIds })
      return await destinationToJson(gateway, tenant, destination)
    },
})
