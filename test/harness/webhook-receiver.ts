/**
 * A receiver of webhooks: an HTTP server that stores requests byte for byte and answers by a script. Used by suites and
 * chaos runs, and stopped by its caller.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

/** A certificate for 127.0.0.1, valid until 2126, that only secures tests. */
const CERTIFICATE = join(import.meta.dirname, 'receiver-certificate.pem')
const KEY = join(import.meta.dirname, 'receiver-key.pem')

/** For services that send webhooks to a receiver with TLS, which endpoints of live mode need. */
export const RECEIVER_ENVIRONMENT = { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: CERTIFICATE }

export const readReceiverTls = () => ({ cert: readFileSync(CERTIFICATE, 'utf8'), key: readFileSync(KEY, 'utf8') })

/** A received request. */
export interface Delivered {
  /** Including the query. */
  path: string
  headers: Record<string, string>
  /** The raw bytes, as text. */
  body: string
  /** Arrival of the last byte, in milliseconds since 1970. */
  atMs: number
  /** Time at which the response was sent; undefined before or without a response. */
  answeredAtMs?: number
}

/**
 * - A status, or an object with more of the response and a delay.
 * - `never`: the connection stays open without a response.
 * - `close`: the connection is closed without a response.
 */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number }
  | 'never'
  | 'close'

/** @param earlier number of earlier requests with this `webhook-id` and path. */
export type Script = (request: Delivered, earlier: number) => Answer | Promise<Answer>

export interface WebhookReceiver {
  /** Base URL. Each path is a separate receiver. */
  url: string
  /** In the order of arrival. A full receiver answers 507 and stores no more. */
  received: Delivered[]
  /** Requests of one path. */
  at(path: string): Delivered[]
  /** From now on. */
  answerBy(script: Script): void
  stop(): Promise<void>
}

export interface ReceiverOptions {
  script?: Script
  /** Enables TLS. */
  tls?: { key: string; cert: string }
  host?: string
  keptMax?: number
}

export async function startWebhookReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const { host = '127.0.0.1', keptMax = 100_000, tls } = options
  let { script = () => 204 } = options
  const received: Delivered[] = []
  const earlier = new Map<string, number>()
  const stopping = new AbortController()

  const take: RequestListener = (request, response) => {
    // A client may close the connection during a request.
    void receive(request, response).catch(() => response.destroy())
  }
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString()
    const delivered = { path: request.url ?? '', headers: plain(request), body, atMs: Date.now() }
    if (received.length >= keptMax) return void response.writeHead(507).end()
    received.push(delivered)
    const key = `${delivered.path} ${delivered.headers['webhook-id']}`
    const before = earlier.get(key) ?? 0
    earlier.set(key, before + 1)
    await respond(delivered, await script(delivered, before), response)
  }
  async function respond(delivered: Delivered, answer: Answer, response: ServerResponse): Promise<void> {
    if (answer === 'never') return
    if (answer === 'close') return void response.destroy()
    const { status, headers = {}, body = '', delayMs = 0 } = typeof answer === 'number' ? { status: answer } : answer
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: stopping.signal })
    delivered.answeredAtMs = Date.now()
    response.writeHead(status, headers).end(body)
  }

  const server: Server = tls ? createTlsServer(tls, take) : createServer(take)
  await once(server.listen(0, host), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    received,
    at: (path) => received.filter((delivered) => delivered.path === path),
    answerBy(next) {
      script = next
    },
    async stop() {
      stopping.abort()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

function plain({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/**
 * Verifies a delivery by the public library, like an integrator.
 *
 * @returns the event.
 * @throws WebhookVerificationError
 */
// biome-ignore lint/suspicious/noExplicitAny: tests assert any part of an event
export function verify({ body, headers }: Pick<Delivered, 'body' | 'headers'>, secret: string): any {
  return new Webhook(secret).verify(body, headers)
}

/** Whether a signature is by this secret. Ignores the timestamp. */
export function isSignedBy({ body, headers }: Pick<Delivered, 'body' | 'headers'>, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers
  return signatures.split(' ').includes(new Webhook(secret).sign(id, new Date(Number(at) * 1000), body))
}
