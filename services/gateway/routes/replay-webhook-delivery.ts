/** `POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay`. Source: decisions, "Webhooks and events". */
import { webhookDeliveryToJson } from '@platen/resources/webhook-delivery-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function replayWebhookDelivery({ deliveries }: Gateway): RouteStep {
  return async (ctx) => {
    const endpointId = pathId(ctx, 'webhook endpoint')
    const deliveryId = pathId(ctx, 'delivery', 'deliveryId')
    const { delivery } = await deliveries.replayDelivery({ ...tenantOf(ctx), endpointId, deliveryId })
    ctx.status = 202
    ctx.body = webhookDeliveryToJson(required(delivery))
  }
}
