/** `PATCH /v1/webhooks/{id}`. Source: decisions, "Webhooks and events". */
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'
import { readJson } from '../request/read-json.ts'
import { WEBHOOK_CHANGES } from '../request/webhook-endpoint.ts'

export function updateWebhook({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    const { url, events, description, enabled } = await readJson(ctx, WEBHOOK_CHANGES)
    const { endpoint } = await endpoints.updateEndpoint({
      ...tenantOf(ctx),
      endpointId: pathId(ctx, 'webhook endpoint'),
      url,
      events: events && { types: events },
      description: description === undefined ? undefined : { text: description ?? undefined },
      enabled,
    })
    ctx.body = webhookEndpointToJson(required(endpoint))
  }
}
