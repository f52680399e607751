import type { WebhookDelivery } from '../api/gen/schema.ts'
import { State } from '../ui/state.tsx'

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

const ERRORS: Record<Exclude<Delivery['lastError'], 'status' | null>, string> = {
  timeout: 'no answer in time',
  dns: 'the host name was not found',
  connect: 'the connection failed',
  tls: 'the TLS connection failed',
  blocked_address: 'the address is not public',
  redirect: 'the answer was a redirect, which is not followed',
  secret: 'the secret could not be read',
}

/** "answered 503", "302: the answer was a redirect, which is not followed" */
export function describeAnswer(statusCode: number | null, error: Delivery['lastError']): string {
  if (error === 'status' || error === null) return statusCode === null ? '' : `answered ${statusCode}`
  return [statusCode, ERRORS[error]].filter(Boolean).join(': ')
}
