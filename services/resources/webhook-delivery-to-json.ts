/** Reference: docs/reference/webhooks.md#deliveries. */
import type { DeliveredJob, Delivery } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { timestampToJson } from './timestamp-to-json.ts'
import type { WebhookDeliveryJson } from './webhook-delivery-schema.ts'

export function webhookDeliveryToJson(delivery: Delivery) {
  return {
    id: delivery.id,
    webhookId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: timestampToJson(delivery.nextAttemptAt),
    lastStatusCode: delivery.lastStatusCode ?? null,
    lastError: delivery.lastError ?? null,
    createdAt: timestampToJson(delivery.createdAt),
    deliveredAt: timestampToJson(delivery.deliveredAt),
    job: delivery.job ? jobToJson(delivery.job) : null,
  } satisfies Record<keyof WebhookDeliveryJson, unknown>
}

const jobToJson = ({ id, title, printerId }: DeliveredJob) =>
  ({ id, title, printerId }) satisfies Record<keyof NonNullable<WebhookDeliveryJson['job']>, unknown>
