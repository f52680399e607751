/** Reference: docs/reference/webhooks.md#the-webhook-endpoint-object. */
import { z } from 'zod'
import { EVENT_TYPES } from './event-types.ts'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'

export const WEBHOOK_ENDPOINT = z
  .object({
    id: id().meta({ description: 'The id of the endpoint.', example: EXAMPLE_IDS.webhook }),
    url: z
      .string()
      .meta({ description: 'Where its events are sent.', example: 'https://erp.example.com/hooks/platen' }),
    events: z.array(z.enum(EVENT_TYPES)).meta({
      description: 'The types of events that are sent to it.',
      example: ['printjob.done', 'printjob.error'],
    }),
    description: z.string().nullable().meta({ description: 'Your notes.', example: 'Orders in the ERP' }),
    enabled: z.boolean().meta({
      description: 'While it is false nothing is sent: deliveries are kept as `missed` and can be replayed afterwards.',
      example: true,
    }),
    disabledReason: z.enum(['user', 'failures']).nullable().meta({
      description:
        'Why it is disabled: `user` by a PATCH, `failures` after five days without a success. Null while it is enabled.',
      example: null,
    }),
    failingSince: timestamp().nullable().meta({
      description: 'The first failed attempt since the last success. Null while all is well.',
      example: null,
    }),
    mode: mode('The mode whose events are sent to it.'),
    createdAt: timestamp().meta({ description: 'When it was made.', example: '2026-03-02T09:00:00.000Z' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL of yours that events are sent to.' })

export const WEBHOOK_ENDPOINT_WITH_SECRET = WEBHOOK_ENDPOINT.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32}$/)
    .meta({
      description: 'What deliveries are signed with, by Standard Webhooks. It is shown this once.',
      // Of Standard Webhooks' own examples.
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
}).meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new secret.' })

export const WEBHOOK_ENDPOINT_PAGE = createPageSchema(WEBHOOK_ENDPOINT, 'WebhookEndpointPage', 'webhook endpoints')

export type WebhookEndpointJson = z.infer<typeof WEBHOOK_ENDPOINT>
