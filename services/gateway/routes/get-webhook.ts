import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function getWebhook({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    const { endpoint } = await endpoints.getEndpoint({ ...tenantOf(ctx), endpointId: pathId(ctx, 'webhook endpoint') })
    ctx.body = webhookEndpointToJson(required(endpoint))
  }
}
