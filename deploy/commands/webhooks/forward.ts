/** Posts one event like a delivery to a local URL. Reference: docs/reference/webhooks.md#delivery. */
import { sign } from '@platen/webhooks/delivery/sign.ts'
import { type FeedEvent, getReason } from './follow-feed.ts'

/** As in the webhooks service. */
const TIMEOUT_MS = 15_000

export interface Forwarded {
  /** The status, or the cause of the failure, for example `ECONNREFUSED`. */
  outcome: number | string
  durationMs: number
}

/** Makes one attempt, without retries. */
export async function forward(
  { id, body }: FeedEvent,
  { to, secret }: { to: URL; secret: string },
  signal: AbortSignal,
): Promise<Forwarded> {
  const startedAt = performance.now()
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id, timestamp, body }, [secret]),
  }
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const outcome = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: timeout }).then(
    async (response) => {
      await response.body?.cancel()
      return response.status
    },
    (error: unknown) => {
      signal.throwIfAborted()
      return getReason(error)
    },
  )
  return { outcome, durationMs: performance.now() - startedAt }
}
