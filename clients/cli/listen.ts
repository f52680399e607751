/**
 * Follows the event feed and posts each event like a delivery to a local URL. Reference:
 * docs/reference/webhooks.md#delivery.signature
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Event, FollowOptions, Platen } from '@platen/sdk'
import { EXIT, Failure } from './exit-codes.ts'
import { inform, print } from './output.ts'

interface ListenOptions {
  forward: string
  /** The types of `GET /v1/events`. Undefined: all types. */
  types: FollowOptions['type']
  /** `whsec_…`. Undefined: a new one. */
  secret: string | undefined
}

/** The time limit of the webhooks service. */
const TIMEOUT_MS = 15_000
/** Source: Standard Webhooks. */
const SECRET_BYTES = { min: 24, max: 64 }
const SECRET_PREFIX = 'whsec_'

/**
 * Prints the secret for verification, then one line per event. Each event is posted once. Runs until the process ends.
 */
export async function listen(platen: Platen, { forward, types, secret }: ListenOptions): Promise<void> {
  const url = parseUrl(forward)
  const key = parseSecret(secret ?? `${SECRET_PREFIX}${randomBytes(SECRET_BYTES.min).toString('base64')}`)
  print(`Forwarding new events to ${url.href}. Stop with Ctrl-C.`)
  print(`The secret for verification is ${SECRET_PREFIX}${key.toString('base64')}`)
  const feed = platen.events.follow({
    type: types,
    onFailed: ({ message }) => inform(`${message} Trying again.`),
    onRecovered: () => inform('The server answers again.'),
  })
  for await (const event of feed) {
    const startedAt = performance.now()
    const outcome = await post(event, url, key)
    const time = new Date().toISOString().slice(11, 19)
    print(`${time} ${event.type} ${event.id} ${outcome} ${Math.round(performance.now() - startedAt)} ms`)
  }
}

/** @returns the status, or the cause of the failure, for example `ECONNREFUSED`. */
async function post(event: Event, url: URL, key: Buffer): Promise<string> {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return signal.aborted ? 'timeout' : (cause?.code ?? message)
  }
}

/** Accepts any host, because the program runs in the network of its user. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '') return url
  throw new Failure(
    '--forward must be an http or https URL without a user name, for example http://localhost:3000/hook',
    EXIT.usage,
  )
}

function parseSecret(text: string): Buffer {
  const secret = text.trim()
  const encoded = secret.slice(SECRET_PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  const isWhole = secret.startsWith(SECRET_PREFIX) && bytes.toString('base64') === encoded
  if (isWhole && bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max) return bytes
  throw new Failure(
    'WEBHOOK_SECRET must be `whsec_` and the base64 of 24 to 64 bytes. Without it, a secret is generated.',
    EXIT.usage,
  )
}
