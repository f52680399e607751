import type { components } from '../../api/schema.ts'
import { formatClock } from '../../ui/time.tsx'

type Endpoint = components['schemas']['WebhookEndpoint']

/** The health of an endpoint in words: symbol, sentence and color. */
export function Health({ endpoint }: { endpoint: Endpoint }) {
  const { symbol, color, text } = describeHealth(endpoint)
  return (
    <span className={`inline-flex items-center gap-1.5 ${color}`}>
      <span aria-hidden className="inline-block w-3 shrink-0 text-center leading-none">
        {symbol}
      </span>
      {text}
    </span>
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
