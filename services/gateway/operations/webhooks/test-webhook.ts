import { EVENT_TYPE } from '@platen/resources/event-types.ts'
import { WEBHOOK_DELIVERY, webhookDeliveryToJson } from '@platen/resources/webhook-delivery-schema.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const WEBHOOK_TEST = jsonBody({
  type: EVENT_TYPE.optional().meta({
    description:
      'The type of the example, also one that the endpoint does not receive. The default is the first of its `events`.',
    example: 'printjob.done',
  }),
}).meta({ id: 'WebhookTest', description: 'The example to send. An empty object uses the default.' })

export const testWebhook = operation({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/webhooks/{id}/test',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Test a webhook endpoint',
  description:
    'Sends an example of an event, signed, attempted and listed like any other delivery. The feed does not contain its event. The response does not wait for the attempt; read the delivery for its result.',
  body: WEBHOOK_TEST,
  bodyIsOptional: true,
  answer: { status: 202, description: 'The delivery of the example.', schema: WEBHOOK_DELIVERY },
  errors: ['endpoint_disabled'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids, body: { type } }) => {
      const { delivery } = await endpoints.testEndpoint({ ...tenant, endpointId: ids.id, type })
      return webhookDeliveryToJson(required(delivery))
    },
})
