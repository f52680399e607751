/** Reference: docs/reference/webhooks.md#the-webhook-endpoint-object. */
import type { Endpoint } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { z } from 'zod'
import { EVENT_TYPE } from './event-types.ts'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { createToJson } from './to-json.ts'
import { ERROR_CLASS } from './webhook-delivery-schema.ts'

export const WEBHOOK_ENDPOINT = z
  .object({
    id: id().meta({ description: 'The id of the endpoint.', example: EXAMPLE_IDS.webhook }),
    url: z
      .string()
      .meta({ description: 'The URL to which events are sent.', example: 'https://erp.example.com/hooks/platen' }),
    events: z.array(EVENT_TYPE).meta({
      description: 'The types of the events that are sent.',
      example: ['printjob.done', 'printjob.error'],
    }),
    description: z.string().nullable().meta({ description: 'Your notes.', example: 'Orders in the ERP' }),
    enabled: z.boolean().meta({
      description:
        'True if events are sent. While it is false, deliveries are stored as `missed` and can be replayed later.',
      example: true,
    }),
    disabledReason: z.enum(['user', 'failures']).nullable().meta({
      description:
        'The reason for which the endpoint is disabled: `user` (by a PATCH) or `failures` (after five days without a success). Null while it is enabled.',
      example: null,
    }),
    failingSince: timestamp().nullable().meta({
      description: 'The time of the first failed attempt since the last success. Null without one.',
      example: null,
    }),
    lastStatusCode: z.int().nullable().meta({
      description: 'The HTTP status of the last failed attempt. Null without a response, and while the endpoint works.',
      example: null,
    }),
    lastError: ERROR_CLASS.nullable().meta({
      description: 'The class of the error of the last failed attempt. Null while the endpoint works.',
      example: null,
    }),
    nextAttemptAt: timestamp().nullable().meta({
      description:
        'The time of the next attempt of any delivery while the endpoint fails. A time in the past is due. Null if no attempt follows, and while the endpoint works.',
      example: null,
    }),
    mode: mode('The mode whose events are sent.'),
    createdAt: timestamp().meta({ description: 'The time of the creation.', example: '2026-03-02T09:00:00.000Z' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL to which events are sent.' })

export const WEBHOOK_ENDPOINT_WITH_SECRET = WEBHOOK_ENDPOINT.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32}$/)
    .meta({
      description: 'The secret that signs deliveries, in the form of Standard Webhooks. It is shown only once.',
      // An example of Standard Webhooks' own examples.
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
}).meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new secret.' })

export const WEBHOOK_ENDPOINT_PAGE = createPageSchema(WEBHOOK_ENDPOINT, 'WebhookEndpointPage', 'webhook endpoints')

export const webhookEndpointToJson = createToJson<Endpoint, typeof WEBHOOK_ENDPOINT>(WEBHOOK_ENDPOINT, {})
