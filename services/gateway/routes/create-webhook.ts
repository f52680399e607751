/** `POST /v1/webhooks`. Source: specification, "Webhooks". */
import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { readJson } from '../request/read-json.ts'
import { NEW_WEBHOOK } from '../request/webhook-endpoint.ts'

/** The secret is in this answer and nowhere else. */
export function createWebhook({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    const { url, events, description } = await readJson(ctx, NEW_WEBHOOK)
    const wanted = { ...tenantOf(ctx), url, events, description: description ?? undefined }
    const { endpoint, secret } = await endpoints.createEndpoint(wanted)
    ctx.status = 201
    ctx.body = { ...webhookEndpointToJson(required(endpoint)), secret }
  }
}
