/** Words for deliveries and their attempts. */
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from '../../api/gen/schema.ts'

type Attempt = WebhookDeliveryDetail['attemptLog'][number]
type ErrorClass = WebhookDelivery['lastError']

const ERRORS: Record<Exclude<ErrorClass, 'status' | null>, string> = {
  timeout: 'no answer in time',
  dns: 'the host name was not found',
  connect: 'the connection failed',
  tls: 'the TLS connection failed',
  blocked_address: 'the address is not public',
  redirect: 'the answer was a redirect, which is not followed',
  secret: 'the secret could not be read',
}

/** "answered 503", "302: the answer was a redirect, which is not followed" */
export function describeAnswer(statusCode: number | null, error: ErrorClass): string {
  if (error === 'status' || error === null) return statusCode === null ? '' : `answered ${statusCode}`
  return [statusCode, ERRORS[error]].filter(Boolean).join(': ')
}

/** Why an attempt was made. A retry has the trigger of the attempt that it repeats. */
export function describeCause({ number, trigger }: Pick<Attempt, 'number' | 'trigger'>): string {
  if (trigger === 'replay') return 'replay'
  if (number > 1) return 'retry'
  return trigger === 'test' ? 'test' : 'first attempt'
}

/**
 * The headers of an attempt that its receiver has got. `webhook-signature` is not stored. Empty without an answer,
 * because the request may not have been sent.
 */
export function toSentHeaders({ eventId }: Pick<WebhookDelivery, 'eventId'>, { at, statusCode }: Attempt): string {
  if (statusCode === null) return ''
  return `webhook-id: ${eventId}\nwebhook-timestamp: ${Math.floor(Date.parse(at) / 1000)}`
}

/**
 * "failing since 03:22: your server answers 500; next attempt 03:28"
 *
 * @param now milliseconds by the clock of the service.
 */
export function toHealth(endpoint: WebhookEndpoint, now: number, format: (time: string) => string) {
  const { enabled, disabledReason, failingSince, nextAttemptAt } = endpoint
  if (!enabled && disabledReason === 'user') return { symbol: '○', color: 'text-muted', text: 'disabled' }
  if (enabled && !failingSince) return { symbol: '●', color: 'text-ok', text: 'delivering' }
  const since = failingSince ? ` since ${format(failingSince)}` : ''
  const state = enabled ? `failing${since}` : `disabled after 5 days of failures${since && `,${since}`}`
  const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now
  const next = nextAttemptAt && `next attempt ${isDue ? 'now' : format(nextAttemptAt)}`
  const sentence = [state, describeFailure(endpoint)].filter(Boolean).join(': ')
  return { symbol: '✕', color: 'text-error', text: [sentence, next].filter(Boolean).join('; ') }
}

/** "your server answers 500" */
function describeFailure({ lastStatusCode, lastError }: WebhookEndpoint): string {
  if (lastError === null) return ''
  if (lastError === 'status') return `your server answers ${lastStatusCode}`
  return describeAnswer(lastStatusCode, lastError)
}
