import { integer } from '@platen/resources/fields.ts'
import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { WEBHOOK_ENDPOINT_WITH_SECRET, webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const { graceSeconds } = WEBHOOK_LIMITS

const SECRET_ROTATION = jsonBody({
  graceSeconds: integer(graceSeconds).default(graceSeconds.default).meta({
    description: 'The number of seconds for which deliveries are also signed with the present secret.',
    example: graceSeconds.default,
  }),
}).meta({
  id: 'WebhookSecretRotation',
  description: 'The time for which the present secret stays valid. An empty object uses the default.',
})

export const rotateWebhookSecret = operation({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{id}/rotate-secret',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Creates a new secret. For `graceSeconds` deliveries are signed with both secrets, so that receivers can switch without a refused delivery. With 0, for a leaked secret, only the new one signs. At most five secrets are valid; a further rotation ends the oldest.',
  body: SECRET_ROTATION,
  bodyIsOptional: true,
  answer: {
    status: 200,
    description: 'The endpoint with its new secret, which is shown only once.',
    schema: WEBHOOK_ENDPOINT_WITH_SECRET,
  },
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids, body: { graceSeconds } }) => {
      const { endpoint, secret } = await endpoints.rotateSecret({ ...tenant, endpointId: ids.id, graceSeconds })
      return { ...webhookEndpointToJson(required(endpoint)), secret }
    },
})
