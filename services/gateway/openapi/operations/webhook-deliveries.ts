/** Source: specification, "Delivery"; decisions, "Webhooks and events". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const WEBHOOK_DELIVERY_OPERATIONS: Descriptions = {
  listWebhookDeliveries: {
    tag: 'Webhooks',
    summary: 'List the deliveries of an endpoint',
    description:
      'What was sent to the endpoint, is to be sent, or was missed while it was disabled, the newest first unless `dir` says otherwise. Kept for 30 days. Filters narrow the list; several of them must all hold.',
    query: [...PAGE, 'deliveryStatus', 'deliveryType'],
    success: { status: 200, description: 'A page of deliveries.', schema: 'WebhookDeliveryPage' },
    errors: ['forbidden'],
  },
  getWebhookDelivery: {
    tag: 'Webhooks',
    summary: 'Read a delivery',
    description: 'The delivery with what it brings, and each attempt with the answer of the endpoint.',
    success: { status: 200, description: 'The delivery.', schema: 'WebhookDeliveryDetail' },
    errors: ['forbidden'],
  },
  replayWebhookDelivery: {
    tag: 'Webhooks',
    summary: 'Replay a delivery',
    description:
      'Sends the same event again, at once and with all its retries, whatever became of the delivery before: it has the same `webhook-id`, by which receivers tell that they had it already. A delivery that waits for a retry is sent at once; one whose attempt is due already stays as it is. When its event is no longer kept, after 30 days, it is a `404`.',
    success: { status: 202, description: 'The delivery, in `pending`.', schema: 'WebhookDelivery' },
    errors: ['forbidden', 'endpoint_disabled'],
  },
  replayWebhookDeliveries: {
    tag: 'Webhooks',
    summary: 'Replay the deliveries of a range of time',
    description:
      'Replays, oldest first, each delivery that was created from `since` on and before `until`: those that failed or were missed, unless `status` says otherwise. When there is no answer send it again: what is pending already is left alone.',
    body: 'WebhookReplayRange',
    success: { status: 202, description: 'How many there were.', schema: 'WebhookReplay' },
    errors: ['forbidden', 'endpoint_disabled'],
  },
}
