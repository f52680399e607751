import type { WebhookDelivery } from '../../api/gen/schema.ts'
import { State } from '../../ui/state.tsx'

type Delivery = WebhookDelivery

const STATUSES: Record<Delivery['status'], { symbol: string; color: string }> = {
  pending: { symbol: '○', color: 'text-accent' },
  succeeded: { symbol: '●', color: 'text-ok' },
  failed: { symbol: '✕', color: 'text-error' },
  missed: { symbol: '⊘', color: 'text-warn' },
}

export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  const { symbol, color } = STATUSES[status]
  return (
    <State symbol={symbol} color={color}>
      {status}
    </State>
  )
}
