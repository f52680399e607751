import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { WEBHOOK_ENDPOINT_WITH_SECRET } from '@platen/resources/webhook-endpoint-schema.ts'
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { operation } from '../../operation.ts'
import { integer } from '../../request/integer.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const { graceSeconds } = WEBHOOK_LIMITS

const SECRET_ROTATION = jsonBody({
  graceSeconds: integer(graceSeconds).default(graceSeconds.default).meta({
    description: 'For how long the secret so far goes on signing beside the new one.',
    example: graceSeconds.default,
  }),
}).meta({
  id: 'WebhookSecretRotation',
  description: 'How long the present secret stays valid. An empty object takes the default.',
})

export const rotateWebhookSecret = operation({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{id}/rotate-secret',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Makes a new secret. For `graceSeconds` deliveries are signed with both, so that receivers can change over without refusing any; with 0, when the secret got into wrong hands, with the new one alone at once. At most five secrets sign: a rotation beyond that ends the oldest.',
  body: SECRET_ROTATION,
  bodyIsOptional: true,
  answer: {
    status: 200,
    description: 'The endpoint with its new secret, which is shown this once.',
    schema: WEBHOOK_ENDPOINT_WITH_SECRET,
  },
  errors: ['forbidden'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids, body: { graceSeconds } }) => {
      const { endpoint, secret } = await endpoints.rotateSecret({ ...tenant, endpointId: ids.id, graceSeconds })
      return { ...webhookEndpointToJson(required(endpoint)), secret }
    },
})
