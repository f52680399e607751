/** Reference: docs/reference/webhooks.md#deliveries. */
import type { Attempt, Delivery, GetDeliveryResponse } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { z } from 'zod'
import { EVENT } from './event-schema.ts'
import { EVENT_TYPE } from './event-types.ts'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { createToJson } from './to-json.ts'

export const DELIVERY_STATUS = z.enum(['pending', 'succeeded', 'failed', 'missed']).meta({
  id: 'DeliveryStatus',
  description:
    'The status of a delivery: `pending` while further attempts follow, `succeeded`, `failed` after the last attempt, `missed` if the endpoint was disabled.',
  example: 'pending',
})

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

const DELIVERED_JOB = z
  .object({
    id: id().meta({ description: 'The id of the job.', example: EXAMPLE_IDS.printJob }),
    title: z.string().meta({ description: 'The title of the job.', example: 'Invoice 1042' }),
    printerId: id().meta({ description: 'The id of the printer.', example: EXAMPLE_IDS.printer }),
  })
  .meta({ id: 'DeliveredJob', description: 'The job of a delivered event.' })

export const WEBHOOK_DELIVERY = z
  .object({
    id: id().meta({ description: 'The id of the delivery.', example: EXAMPLE_IDS.delivery }),
    webhookId: id().meta({ description: 'The id of the webhook endpoint.', example: EXAMPLE_IDS.webhook }),
    eventId: id().meta({
      description: 'The id of the delivered event, sent as `webhook-id`. The event of a test is in no feed.',
      example: EXAMPLE_IDS.event,
    }),
    eventType: EVENT_TYPE.meta({ description: 'The type of the event.', example: 'printjob.done' }),
    status: DELIVERY_STATUS,
    attempts: z.int().meta({ description: 'The number of attempts so far.', example: 1 }),
    nextAttemptAt: timestamp().nullable().meta({
      description: 'The time of the next attempt. Null unless the delivery is `pending`.',
      example: '2026-03-02T09:30:12.310Z',
    }),
    lastStatusCode: z.int().nullable().meta({
      description: 'The HTTP status of the last response. Null without a response.',
      example: 503,
    }),
    lastError: ERROR_CLASS.nullable().meta({
      description: 'The class of the error of the last attempt. Null if it succeeded.',
      example: 'status',
    }),
    createdAt: timestamp().meta({ description: 'The time of the creation.', example: '2026-03-02T09:30:07.010Z' }),
    deliveredAt: timestamp()
      .nullable()
      .meta({ description: 'The time of the first 2xx response. Null before.', example: null }),
    job: DELIVERED_JOB.nullable().meta({
      description:
        'The job of the event. Null for events of printers and computers, for tests, and if the event is no longer stored.',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of an event to a webhook endpoint.' })

export const WEBHOOK_DELIVERY_PAGE = createPageSchema(WEBHOOK_DELIVERY, 'WebhookDeliveryPage', 'deliveries')

const WEBHOOK_ATTEMPT = z
  .object({
    number: z.int().meta({ description: 'The number of the attempt, counted from 1.', example: 1 }),
    trigger: z.enum(['scheduled', 'replay', 'test']).meta({
      description: 'The cause of the attempt: `scheduled` (first attempt or retry), `replay` or `test`.',
      example: 'scheduled',
    }),
    at: timestamp().meta({ description: 'The time of the start.', example: '2026-03-02T09:30:07.021Z' }),
    durationMs: z.int().meta({ description: 'The duration in milliseconds.', example: 84 }),
    statusCode: z.int().nullable().meta({
      description: 'The HTTP status of the response. Null without a response.',
      example: 503,
    }),
    errorClass: ERROR_CLASS.nullable().meta({
      description: 'The class of the error. Null if the attempt succeeded.',
      example: 'status',
    }),
    response: z.string().nullable().meta({
      description:
        'The first kilobyte of the response. Null without a response, and for a receiver in a private network.',
      example: 'down for maintenance',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'An attempt to deliver an event.' })

export const WEBHOOK_DELIVERY_DETAIL = WEBHOOK_DELIVERY.extend({
  payload: EVENT.nullable().meta({
    description: 'The event, sent with the same bytes by each attempt. Null if the event is no longer stored.',
  }),
  attemptLog: z.array(WEBHOOK_ATTEMPT).meta({ description: 'The latest 100 attempts, the oldest first.' }),
}).meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with its payload and attempts.' })

export type WebhookDeliveryDetailJson = z.infer<typeof WEBHOOK_DELIVERY_DETAIL>

export const webhookDeliveryToJson = createToJson<Delivery, typeof WEBHOOK_DELIVERY>(WEBHOOK_DELIVERY, {
  webhookId: ({ endpointId }) => endpointId,
})

const attemptToJson = createToJson<Attempt, typeof WEBHOOK_ATTEMPT>(WEBHOOK_ATTEMPT, {})

type Answer = Pick<GetDeliveryResponse, 'payload' | 'attempts'> & { delivery: Delivery }

export function webhookDeliveryDetailToJson({ delivery, payload, attempts }: Answer): WebhookDeliveryDetailJson {
  return {
    ...webhookDeliveryToJson(delivery),
    payload: payload === undefined ? null : JSON.parse(payload),
    attemptLog: attempts.map(attemptToJson),
  }
}
