import { WEBHOOK_ENDPOINT, webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const getWebhook = operation({
  operationId: 'getWebhook',
  method: 'get',
  path: '/v1/webhooks/{id}',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Read a webhook endpoint',
  description: 'Returns the endpoint and whether its deliveries fail, without its secret. Rotate a lost secret.',
  answer: { status: 200, description: 'The endpoint.', schema: WEBHOOK_ENDPOINT },
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids }) => {
      const { endpoint } = await endpoints.getEndpoint({ ...tenant, endpointId: ids.id })
      return webhookEndpointToJson(required(endpoint))
    },
})
