import { WEBHOOK_DELIVERY, webhookDeliveryToJson } from '@platen/resources/webhook-delivery-schema.ts'
import { operation } from '../../operation/operation.ts'
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
    'Sends the same event again, at once and with all its retries, whatever the status of the delivery. The `webhook-id` stays the same, so that receivers can detect a repetition. A delivery that waits for a retry is sent at once; one whose attempt is already due does not change. Events are kept for 30 days; after that the response is `404`.',
  answer: { status: 202, description: 'The delivery, in `pending`.', schema: WEBHOOK_DELIVERY },
  errors: ['endpoint_disabled'],
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids: { id: endpointId, deliveryId } }) => {
      const { delivery } = await deliveries.replayDelivery({ ...tenant, endpointId, deliveryId })
      return webhookDeliveryToJson(required(delivery))
    },
})
