/** `GET /v1/webhooks/{id}/deliveries/{deliveryId}`. Source: decisions, "Webhooks and events". */
import { webhookDeliveryDetailToJson } from '@platen/resources/webhook-delivery-detail-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function getWebhookDelivery({ deliveries }: Gateway): RouteStep {
  return async (ctx) => {
    const endpointId = pathId(ctx, 'webhook endpoint')
    const deliveryId = pathId(ctx, 'delivery', 'deliveryId')
    const answer = await deliveries.getDelivery({ ...tenantOf(ctx), endpointId, deliveryId })
    ctx.body = webhookDeliveryDetailToJson({ ...answer, delivery: required(answer.delivery) })
  }
}
