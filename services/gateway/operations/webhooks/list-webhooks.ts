import { WEBHOOK_ENDPOINT_PAGE, webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { operation } from '../../operation/operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

export const listWebhooks = operation({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/v1/webhooks',
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description:
    'Lists the endpoints of the organization and mode of the key without their secrets, the newest first by default.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of endpoints.', schema: WEBHOOK_ENDPOINT_PAGE },
  handle:
    ({ endpoints }) =>
    async ({ tenant, query }) => {
      const found = await endpoints.listEndpoints({ ...tenant, page: query.page })
      return { data: found.endpoints.map(webhookEndpointToJson), end: found.end }
    },
})
