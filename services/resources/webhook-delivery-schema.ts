/** Reference: docs/reference/webhooks.md#deliveries. */
import { z } from 'zod'
import { exampleEvent } from './event-examples.ts'
import { EVENT_SCHEMAS } from './event-schema.ts'
import { EVENT_TYPES } from './event-types.ts'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'

export const DELIVERY_STATUS = z.enum(['pending', 'succeeded', 'failed', 'missed'])

/** Why an attempt failed. */
export const ERROR_CLASS = z.enum([
  'timeout',
  'dns',
  'connect',
  'tls',
  'blocked_address',
  'redirect',
  'status',
  'secret',
])

export const WEBHOOK_DELIVERY = z
  .object({
    id: id().meta({ description: 'The id of the delivery.', example: EXAMPLE_IDS.delivery }),
    webhookId: id().meta({ description: 'The endpoint that it goes to.', example: EXAMPLE_IDS.webhook }),
    eventId: id().meta({
      description: 'The event that it brings: the header `webhook-id`. The event of a test is in no feed.',
      example: EXAMPLE_IDS.event,
    }),
    eventType: z.enum(EVENT_TYPES).meta({ description: 'The type of the event.', example: 'printjob.done' }),
    status: DELIVERY_STATUS.meta({
      description:
        '`pending` while attempts are still to be made, `failed` after the last one, `missed` when the endpoint was disabled.',
      example: 'pending',
    }),
    attempts: z.int().meta({ description: 'How many attempts were made.', example: 1 }),
    nextAttemptAt: timestamp().nullable().meta({
      description: 'When the next attempt is due. Null unless it is `pending`.',
      example: '2026-03-02T09:30:12.310Z',
    }),
    lastStatusCode: z.int().nullable().meta({
      description: 'The HTTP status of the last answer. Null when there was none.',
      example: 503,
    }),
    lastError: ERROR_CLASS.nullable().meta({
      description: 'Why the last attempt failed. Null when it did not.',
      example: 'status',
    }),
    createdAt: timestamp().meta({ description: 'When the delivery was made.', example: '2026-03-02T09:30:07.010Z' }),
    deliveredAt: timestamp()
      .nullable()
      .meta({ description: 'When the endpoint took it. Null until then.', example: null }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one endpoint.' })

export const WEBHOOK_DELIVERY_PAGE = createPageSchema(WEBHOOK_DELIVERY, 'WebhookDeliveryPage', 'deliveries')

const WEBHOOK_ATTEMPT = z
  .object({
    number: z.int().meta({ description: 'Counts the attempts of the delivery from 1.', example: 1 }),
    trigger: z.enum(['scheduled', 'replay', 'test']).meta({
      description:
        'Why it was made: `scheduled` for the first one and its retries, or since the delivery was a `replay` or a `test`.',
      example: 'scheduled',
    }),
    at: timestamp().meta({ description: 'When it began.', example: '2026-03-02T09:30:07.021Z' }),
    durationMs: z.int().meta({ description: 'How long it took, in milliseconds.', example: 84 }),
    statusCode: z.int().nullable().meta({
      description: 'The HTTP status of the answer. Null when there was none.',
      example: 503,
    }),
    errorClass: ERROR_CLASS.nullable().meta({ description: 'Why it failed. Null when it did not.', example: 'status' }),
    response: z.string().nullable().meta({
      description:
        'The first kilobyte of the answer. Null when there was none, and for a receiver in a private network.',
      example: 'down for maintenance',
    }),
  })
  .meta({ description: 'One attempt to deliver.' })

export const WEBHOOK_DELIVERY_DETAIL = WEBHOOK_DELIVERY.extend({
  payload: z
    .union([...EVENT_SCHEMAS.values()])
    .nullable()
    .meta({
      description: 'What is sent, by each attempt in the same bytes. Null when the event is no longer kept.',
      example: exampleEvent('printjob.done', 'live'),
    }),
  attemptLog: z
    .array(WEBHOOK_ATTEMPT)
    .meta({ description: 'The attempts so far, oldest first; of more than 100 the latest 100.' }),
}).meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with what it brings, and its attempts.' })

export type WebhookDeliveryDetailJson = z.infer<typeof WEBHOOK_DELIVERY_DETAIL>
export type WebhookDeliveryJson = z.infer<typeof WEBHOOK_DELIVERY>
