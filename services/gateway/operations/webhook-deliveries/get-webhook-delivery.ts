import { WEBHOOK_DELIVERY_DETAIL, webhookDeliveryDetailToJson } from '@platen/resources/webhook-delivery-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const getWebhookDelivery = operation({
  operationId: 'getWebhookDelivery',
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
  ids: { id: 'webhook endpoint', deliveryId: 'delivery' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Read a delivery',
  description: 'Returns the delivery with its event, and each attempt with the response of the endpoint.',
  answer: { status: 200, description: 'The delivery.', schema: WEBHOOK_DELIVERY_DETAIL },
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids: { id: endpointId, deliveryId } }) => {
      const answer = await deliveries.getDelivery({ ...tenant, endpointId, deliveryId })
      return webhookDeliveryDetailToJson({ ...answer, delivery: required(answer.delivery) })
    },
})
