/** `DELETE /v1/webhooks/{id}`. Source: decisions, "Webhooks and events". */
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pathId } from '../request/path-id.ts'

export function deleteWebhook({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    await endpoints.deleteEndpoint({ ...tenantOf(ctx), endpointId: pathId(ctx, 'webhook endpoint') })
    ctx.status = 204
  }
}
