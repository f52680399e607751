/** Reference: docs/reference/webhooks.md#the-webhook-endpoint-object. */
import { z } from 'zod'
import { EVENT_TYPES } from './event-types.ts'
import { id, mode, timestamp } from './fields.ts'

export const WEBHOOK_ENDPOINT = z
  .object({
    id: id().describe('The id of the endpoint.'),
    url: z.string().describe('Where its events are sent.'),
    events: z.array(z.enum(EVENT_TYPES)).describe('The types of events that are sent to it.'),
    description: z.string().nullable().describe('Your notes.'),
    enabled: z
      .boolean()
      .describe('While it is false nothing is sent: deliveries are kept as `missed` and can be replayed afterwards.'),
    disabledReason: z
      .enum(['user', 'failures'])
      .nullable()
      .describe(
        'Why it is disabled: `user` by a PATCH, `failures` after five days without a success. Null while it is enabled.',
      ),
    failingSince: timestamp()
      .nullable()
      .describe('The first failed attempt since the last success. Null while all is well.'),
    mode: mode().describe('The mode whose events are sent to it.'),
    createdAt: timestamp().describe('When it was made.'),
  })
  .describe('A URL of yours that events are sent to.')

export const WEBHOOK_ENDPOINT_WITH_SECRET = WEBHOOK_ENDPOINT.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32}$/)
    .describe('What deliveries are signed with, by Standard Webhooks. It is shown this once.'),
}).describe('An endpoint with its new secret.')

export type WebhookEndpointJson = z.infer<typeof WEBHOOK_ENDPOINT>
