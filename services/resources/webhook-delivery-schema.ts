/** Reference: docs/reference/webhooks.md#deliveries. */
import { z } from 'zod'
import { EVENT_SCHEMAS } from './event-schema.ts'
import { EVENT_TYPES } from './event-types.ts'
import { id, timestamp } from './fields.ts'

export const DELIVERY_STATUS = z.enum(['pending', 'succeeded', 'failed', 'missed'])

/** Why an attempt failed. */
export const ERROR_CLASS = z.enum(['timeout', 'dns', 'connect', 'tls', 'blocked_address', 'redirect', 'status'])

export const WEBHOOK_DELIVERY = z
  .object({
    id: id().describe('The id of the delivery.'),
    webhookId: id().describe('The endpoint that it goes to.'),
    eventId: id().describe('The event that it brings: the header `webhook-id`. The event of a test is in no feed.'),
    eventType: z.enum(EVENT_TYPES).describe('The type of the event.'),
    status: DELIVERY_STATUS.describe(
      '`pending` while attempts are still to be made, `failed` after the last one, `missed` when the endpoint was disabled.',
    ),
    attempts: z.int().describe('How many attempts were made.'),
    nextAttemptAt: timestamp().nullable().describe('When the next attempt is due. Null unless it is `pending`.'),
    lastStatusCode: z.int().nullable().describe('The HTTP status of the last answer. Null when there was none.'),
    lastError: ERROR_CLASS.nullable().describe('Why the last attempt failed. Null when it did not.'),
    createdAt: timestamp().describe('When the delivery was made.'),
    deliveredAt: timestamp().nullable().describe('When the endpoint took it. Null until then.'),
  })
  .describe('One event on its way to one endpoint.')

const WEBHOOK_ATTEMPT = z
  .object({
    number: z.int().describe('Counts the attempts of the delivery from 1.'),
    trigger: z
      .enum(['scheduled', 'replay', 'test'])
      .describe(
        'Why it was made: `scheduled` for the first one and its retries, or since the delivery was a `replay` or a `test`.',
      ),
    at: timestamp().describe('When it began.'),
    durationMs: z.int().describe('How long it took, in milliseconds.'),
    statusCode: z.int().nullable().describe('The HTTP status of the answer. Null when there was none.'),
    errorClass: ERROR_CLASS.nullable().describe('Why it failed. Null when it did not.'),
    response: z.string().nullable().describe('The first kilobyte of the answer. Null when there was none.'),
  })
  .describe('One attempt to deliver.')

export const WEBHOOK_DELIVERY_DETAIL = WEBHOOK_DELIVERY.extend({
  payload: z
    .union([...EVENT_SCHEMAS.values()])
    .nullable()
    .describe('What is sent, by each attempt in the same bytes. Null when the event is no longer kept.'),
  attemptLog: z.array(WEBHOOK_ATTEMPT).describe('The attempts so far, oldest first; of more than 100 the latest 100.'),
}).describe('A delivery with what it brings, and its attempts.')

export const WEBHOOK_REPLAY = z
  .object({ replayed: z.int().describe('How many deliveries are pending again.') })
  .describe('What the replay of a range has done.')

export type WebhookDeliveryDetailJson = z.infer<typeof WEBHOOK_DELIVERY_DETAIL>
export type WebhookDeliveryJson = z.infer<typeof WEBHOOK_DELIVERY>
