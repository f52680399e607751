/** Reference: docs/reference/webhooks.md#attempts. */
import type { Attempt, GetDeliveryResponse } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { timestampToJson } from './timestamp-to-json.ts'
import type { WebhookDeliveryDetailJson } from './webhook-delivery-schema.ts'
import { webhookDeliveryToJson } from './webhook-delivery-to-json.ts'

type Answer = Pick<GetDeliveryResponse, 'payload' | 'attempts'> & {
  delivery: NonNullable<GetDeliveryResponse['delivery']>
}

export function webhookDeliveryDetailToJson({ delivery, payload, attempts }: Answer) {
  return {
    ...webhookDeliveryToJson(delivery),
    payload: payload === undefined ? null : JSON.parse(payload),
    attemptLog: attempts.map(attemptToJson),
  } satisfies Record<keyof WebhookDeliveryDetailJson, unknown>
}

function attemptToJson(attempt: Attempt) {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    at: timestampToJson(attempt.at),
    durationMs: attempt.durationMs,
    statusCode: attempt.statusCode ?? null,
    errorClass: attempt.errorClass ?? null,
    response: attempt.response ?? null,
  } satisfies Record<keyof WebhookDeliveryDetailJson['attemptLog'][number], unknown>
}
