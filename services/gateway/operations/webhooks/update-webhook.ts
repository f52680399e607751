import { WEBHOOK_ENDPOINT, webhookEndpointToJson } from '@platen/resources/webhook-endpoint-schema.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { jsonChanges } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'
import { WEBHOOK_DESCRIPTION, WEBHOOK_EVENTS, WEBHOOK_URL } from './webhook-fields.ts'

const WEBHOOK_CHANGES = jsonChanges({
  url: WEBHOOK_URL.optional().meta({ description: 'The new URL. The rules of the creation apply.' }),
  events: WEBHOOK_EVENTS.optional().meta({
    description: 'The types of events. They replace the earlier ones.',
    example: ['printjob.done'],
  }),
  description: WEBHOOK_DESCRIPTION.meta({ description: 'Your notes. Null removes them.' }),
  enabled: z
    .boolean('must be true or false')
    .optional()
    .meta({ description: 'True if events are sent to the endpoint.', example: true }),
}).meta({
  id: 'WebhookChanges',
  description: 'The changes. Omitted fields do not change; an empty object changes nothing.',
})

export const updateWebhook = operation({
  operationId: 'updateWebhook',
  method: 'patch',
  path: '/v1/webhooks/{id}',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Changes only the sent fields. Later attempts use the new URL. If an endpoint is disabled, its pending deliveries become `missed`, and so do its events of the next 5 days. Later events have no deliveries until it is enabled again. If it is enabled again, `disabledReason` and `failingSince` become null, and missed deliveries can be replayed.',
  body: WEBHOOK_CHANGES,
  answer: { status: 200, description: 'The changed endpoint.', schema: WEBHOOK_ENDPOINT },
  errors: ['invalid_url'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids, body: { url, events, description, enabled } }) => {
      const { endpoint } = await endpoints.updateEndpoint({
        ...tenant,
        endpointId: ids.id,
        url,
        events: events && { types: events },
        description: description === undefined ? undefined : { text: description ?? undefined },
        enabled,
      })
      return webhookEndpointToJson(required(endpoint))
    },
})
