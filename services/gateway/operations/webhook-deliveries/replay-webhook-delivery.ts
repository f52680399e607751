import { WEBHOOK_DELIVERY } from '@platen/resources/webhook-delivery-schema.ts'
import { webhookDeliveryToJson } from '@platen/resources/webhook-delivery-to-json.ts'
import { operation } from '../../operation.ts'
import { required } from '../../required.ts'

export const replayWebhookDelivery = operation({
  operationId: 'replayWebhookDelivery',
  method: 'post',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  ids: { id: 'webhook endpoint', deliveryId: 'delivery' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Replay a delivery',
  description:
    'Sends the same event again, at once and with all its retries, whatever became of the delivery before: it has the same `webhook-id`, by which receivers tell that they had it already. A delivery that waits for a retry is sent at once; one whose attempt is due already stays as it is. When its event is no longer kept, after 30 days, it is a `404`.',
  answer: { status: 202, description: 'The delivery, in `pending`.', schema: WEBHOOK_DELIVERY },
  errors: ['forbidden', 'endpoint_disabled'],
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids: { id: endpointId, deliveryId } }) => {
      const { delivery } = await deliveries.replayDelivery({ ...tenant, endpointId, deliveryId })
      return webhookDeliveryToJson(required(delivery))
    },
})
