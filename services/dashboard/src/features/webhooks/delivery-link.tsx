import { Link } from '@tanstack/react-router'
import type { WebhookDelivery } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'

/** The event of a delivery, which opens its attempts. */
export function DeliveryLink({ delivery: { id, webhookId, eventType } }: { delivery: WebhookDelivery }) {
  const { mode } = useLive()
  return (
    <Link
      to="/$mode/webhooks/$webhookId/deliveries/$deliveryId"
      params={{ mode, webhookId, deliveryId: id }}
      preload={false}
      className="font-medium hover:underline"
    >
      {eventType}
    </Link>
  )
}
