/** Posts one event to a developer's address in the form of a delivery. Reference: docs/reference/webhooks.md#delivery. */
import { Webhook } from 'standardwebhooks'
import { type FeedEvent, reasonOf } from './follow-feed.ts'

/** As long as the service waits. */
const TIMEOUT_MS = 15_000

export interface Forwarded {
  /** A status, or why there is none: `ECONNREFUSED`. */
  outcome: number | string
  durationMs: number
}

/** One attempt: who develops sees what went wrong and lets it happen again. */
export async function forward(
  { id, body }: FeedEvent,
  { to, secret }: { to: URL; secret: string },
  signal: AbortSignal,
): Promise<Forwarded> {
  const startedAt = performance.now()
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const outcome = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: within }).then(
    async (response) => {
      await response.body?.cancel()
      return response.status
    },
    (error: unknown) => {
      signal.throwIfAborted()
      return reasonOf(error)
    },
  )
  return { outcome, durationMs: performance.now() - startedAt }
}
