import { WEBHOOK_ENDPOINT_WITH_SECRET, webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'
import { WEBHOOK_CALLBACKS } from './webhook-callbacks.ts'
import { WEBHOOK_DESCRIPTION, WEBHOOK_EVENTS, WEBHOOK_URL } from './webhook-fields.ts'

const NEW_WEBHOOK = jsonBody({
  url: WEBHOOK_URL.meta({
    description:
      'An `http` or `https` URL that leads to a public address, at any port; in live mode `https`. Redirects are not followed.',
    example: 'https://erp.example.com/hooks/platen',
  }),
  events: WEBHOOK_EVENTS.meta({
    description: 'The types of events, each once. Wildcards are not supported, because they would include new types.',
    example: ['printjob.done', 'printjob.error'],
  }),
  description: WEBHOOK_DESCRIPTION.meta({ description: 'Your notes.', example: 'Orders in the ERP' }),
}).meta({ id: 'WebhookRequest', description: 'A URL and the types of events that are sent to it.' })

export const createWebhook = operation({
  operationId: 'createWebhook',
  method: 'post',
  path: '/v1/webhooks',
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    'Creates an endpoint. New events of these types and the mode of the key are sent to the URL, signed by Standard Webhooks with the secret in the response. Each mode can have 20 endpoints.',
  body: NEW_WEBHOOK,
  callbacks: WEBHOOK_CALLBACKS,
  answer: {
    status: 201,
    description: 'The endpoint with its secret, which is shown only once.',
    schema: WEBHOOK_ENDPOINT_WITH_SECRET,
  },
  errors: ['limit_reached', 'invalid_url'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, body: { url, events, description } }) => {
      const request = { ...tenant, url, events, description: description ?? undefined }
      const { endpoint, secret } = await endpoints.createEndpoint(request)
      return { ...webhookEndpointToJson(required(endpoint)), secret }
    },
})
