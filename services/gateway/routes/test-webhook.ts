/** `POST /v1/webhooks/{id}/test`. Source: decisions, "Webhooks and events". */
import { webhookDeliveryToJson } from '@platen/resources/webhook-delivery-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'
import { readOptionalJson } from '../request/read-json.ts'
import { WEBHOOK_TEST } from '../request/webhook-endpoint.ts'

export function testWebhook({ endpoints }: Gateway): RouteStep {
  return async (ctx) => {
    const { type } = await readOptionalJson(ctx, WEBHOOK_TEST)
    const endpointId = pathId(ctx, 'webhook endpoint')
    const { delivery } = await endpoints.testEndpoint({ ...tenantOf(ctx), endpointId, type })
    ctx.status = 202
    ctx.body = webhookDeliveryToJson(required(delivery))
  }
}
