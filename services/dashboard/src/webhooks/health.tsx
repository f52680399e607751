import type { WebhookEndpoint } from '../api/gen/schema.ts'
import { State } from '../ui/state.tsx'
import { formatClock } from '../ui/time.tsx'

type Endpoint = WebhookEndpoint

/** The health of an endpoint in words: symbol, sentence and color. */
export function Health({ endpoint }: { endpoint: Endpoint }) {
  const { symbol, color, text } = describeHealth(endpoint)
  return (
    <State symbol={symbol} color={color}>
      {text}
    </State>
  )
}

export function describeHealth({ enabled, disabledReason, failingSince }: Endpoint) {
  if (!enabled)
    return disabledReason === 'failures'
      ? {
          symbol: '✕',
          color: 'text-error',
          text: `disabled after 5 days of failures${failingSince ? `, since ${formatClock(failingSince)}` : ''}`,
        }
      : { symbol: '○', color: 'text-muted', text: 'disabled' }
  if (failingSince) return { symbol: '✕', color: 'text-error', text: `failing since ${formatClock(failingSince)}` }
  return { symbol: '●', color: 'text-ok', text: 'delivering' }
}
