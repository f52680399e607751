/** `POST /v1/webhooks/{id}/rotate-secret`. Source: decisions, "Webhooks and events". */
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'
import { readOptionalJson } from '../request/read-json.ts'
import { SECRET_ROTATION } from '../request/webhook-endpoint.ts'

/** The new secret is in this answer and nowhere else. */
export function rotateWebhookSecret({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    const { graceSeconds } = await readOptionalJson(ctx, SECRET_ROTATION)
    const endpointId = pathId(ctx, 'webhook endpoint')
    const { endpoint, secret } = await endpoints.rotateSecret({ ...tenantOf(ctx), endpointId, graceSeconds })
    ctx.body = { ...webhookEndpointToJson(required(endpoint)), secret }
  }
}
