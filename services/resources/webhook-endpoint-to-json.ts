/** Reference: docs/reference/webhooks.md#the-webhook-endpoint-object. */
import type { Endpoint } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { timestampToJson } from './timestamp-to-json.ts'
import type { WebhookEndpointJson } from './webhook-endpoint-schema.ts'

export function webhookEndpointToJson(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description ?? null,
    enabled: endpoint.enabled,
    disabledReason: endpoint.disabledReason ?? null,
    failingSince: timestampToJson(endpoint.failingSince),
    lastStatusCode: endpoint.lastStatusCode ?? null,
    lastError: endpoint.lastError ?? null,
    nextAttemptAt: timestampToJson(endpoint.nextAttemptAt),
    mode: endpoint.mode,
    createdAt: timestampToJson(endpoint.createdAt),
  } satisfies Record<keyof WebhookEndpointJson, unknown>
}
