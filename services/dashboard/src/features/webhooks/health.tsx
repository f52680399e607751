import type { WebhookEndpoint } from '../../api/gen/schema.ts'
import { serverNow } from '../../api/server-time.ts'
import { State } from '../../ui/state.tsx'
import { formatClock } from '../../ui/time.tsx'
import { toHealth } from './words.ts'

type Endpoint = WebhookEndpoint

/** The health of an endpoint in words: symbol, sentence and color. */
export function Health({ endpoint }: { endpoint: Endpoint }) {
  const { symbol, color, text } = toHealth(endpoint, serverNow(), formatClock)
  return (
    <State symbol={symbol} color={color}>
      <span title={text}>{text}</span>
    </State>
  )
}
