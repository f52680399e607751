import { webhookEndpointToJson } from '@platen/resources/webhook-endpoint-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pageQuery, pageToJson } from '../request/page.ts'

export function listWebhooks({ endpoints, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors)
    const found = await endpoints.listEndpoints({ ...tenantOf(ctx), page: query.page })
    ctx.body = pageToJson(found.endpoints.map(webhookEndpointToJson), found.end, query, cursors)
  }
}
