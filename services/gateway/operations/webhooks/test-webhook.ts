import { WEBHOOK_DELIVERY } from '@platen/resources/webhook-delivery-schema.ts'
import { webhookDeliveryToJson } from '@platen/resources/webhook-delivery-to-json.ts'
import { operation } from '../../operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'
import { EVENT_TYPE } from './webhook-fields.ts'

const WEBHOOK_TEST = jsonBody({
  type: EVENT_TYPE.optional().meta({
    description:
      'Of which type to send an example, also one that the endpoint is not sent. Left out: the first of its `events`.',
    example: 'printjob.done',
  }),
}).meta({ id: 'WebhookTest', description: 'What to send. An empty object takes the default.' })

export const testWebhook = operation({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/webhooks/{id}/test',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Test a webhook endpoint',
  description:
    'Sends an example of an event, signed, attempted and listed like any other delivery, but of an event that is in no feed. The answer does not wait for the attempt: read the delivery to see what became of it.',
  body: WEBHOOK_TEST,
  bodyIsOptional: true,
  answer: { status: 202, description: 'The delivery of the example.', schema: WEBHOOK_DELIVERY },
  errors: ['forbidden', 'endpoint_disabled'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids, body: { type } }) => {
      const { delivery } = await endpoints.testEndpoint({ ...tenant, endpointId: ids.id, type })
      return webhookDeliveryToJson(required(delivery))
    },
})
