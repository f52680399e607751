/**
 * Secrets and signatures by Standard Webhooks 1.0.0, scheme `v1` (HMAC-SHA256). Reference:
 * docs/reference/webhooks.md#delivery.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 24

/**
 * `whsec_` and base64. The whole text is shown and stored; the decoded bytes are the key. Reference:
 * docs/reference/webhooks.md#secrets.
 */
export const makeSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface SignedMessage {
  /** The id of the event. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  body: string
}

/**
 * @param secrets `whsec_` and base64, the current one first. Receivers may know any of them.
 * @returns the value of `webhook-signature`: `v1,<base64>` for each secret, separated by a space.
 */
export function sign({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', toKey(secret)).update(content).digest('base64')}`).join(' ')
}

/** A signature by a Buffer takes four times as long. */
const toKey = (secret: string): KeyObject =>
  createSecretKey(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64')
