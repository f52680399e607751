/** Signs deliveries by Standard Webhooks 1.0.0, scheme `v1` (HMAC-SHA256). Reference: docs/reference/webhooks.md#delivery. */
import { createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'

export interface SignedMessage {
  /** Of the event: UUIDs hold no dot. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  body: string
}

/**
 * @param secrets `whsec_` and base64, the present one first: receivers may know any of them.
 * @returns the value of `webhook-signature`: `v1,<base64>` for each secret, separated by a space.
 */
export function signatures({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`).join(' ')
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64')
