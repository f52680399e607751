/**
 * Signatures of webhooks, as specified by Standard Webhooks. Reference: docs/reference/webhooks.md#delivery.signature
 */

import { WebhookVerificationError } from './errors.ts'
import type { Event } from './gen/schema.ts'

/** The headers of a request: `Headers`, or an object with lower-case names such as `request.headers` of Node. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** The difference of the clocks, and the age of a repeated request. */
const TOLERANCE_SECONDS = 5 * 60
const SECRET_PREFIX = 'whsec_'
const SIGNATURE_PREFIX = 'v1,'

/**
 * Verifies the signature and the time of a webhook. One valid signature of several is sufficient, because two secrets
 * sign after a rotation.
 *
 * An event is delivered at least once: store each `id`, and ignore a repeated one.
 *
 * @param body the received bytes, before they are parsed. JSON that was serialized again often differs.
 * @param secret `whsec_…`, from the creation of the endpoint.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<Event> {
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const signatures = getHeader(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The header `webhook-timestamp` is not a number.')
  const ageSeconds = Date.now() / 1000 - Number(timestamp)
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError(
      `The webhook is ${Math.round(ageSeconds)} s old, more than ${TOLERANCE_SECONDS} s. Check the clock of this computer.`,
    )
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const key = await importKey(secret)
  for (const signature of signatures) {
    const mac = signature.startsWith(SIGNATURE_PREFIX) && fromBase64(signature.slice(SIGNATURE_PREFIX.length))
    // Compares in constant time.
    if (mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) return parseEvent(bytes)
  }
  throw new WebhookVerificationError(
    'No signature of the webhook is valid. Check the secret, and pass the body as it was received.',
  )
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string') throw new WebhookVerificationError(`The header \`${name}\` is missing.`)
  return value
}

async function importKey(secret: string) {
  const bytes = secret.startsWith(SECRET_PREFIX) && fromBase64(secret.slice(SECRET_PREFIX.length))
  if (!bytes || bytes.length === 0) throw new WebhookVerificationError('The secret must be `whsec_` and base64.')
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** @returns undefined if it is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined // The caller refuses it.
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}

/** A body that is signed is JSON of the service. */
function parseEvent(bytes: Uint8Array): Event {
  return JSON.parse(new TextDecoder().decode(bytes))
}
