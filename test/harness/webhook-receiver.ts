/**
 * Where webhooks are delivered to in tests: a real HTTP server that keeps what it got, byte for byte, and answers as it is told. Used by
 * suites and by chaos runs, so it is stopped by who started it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

/** A request, as it arrived. */
export interface Delivered {
  /** With the query. */
  path: string
  headers: Record<string, string>
  /** The raw bytes, as text. */
  body: string
  /** Milliseconds since 1970, when the last byte was there. */
  atMs: number
  /** When the answer was under way; undefined before, and when there was none. */
  answeredAtMs?: number
}

/**
 * - A status, alone or with the rest of the answer and after a delay.
 * - `never`: the connection stays open, and nothing comes.
 * - `close`: the connection ends without an answer.
 */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number }
  | 'never'
  | 'close'

/** @param earlier how many requests with this `webhook-id` came to this path before. */
export type Script = (request: Delivered, earlier: number) => Answer | Promise<Answer>

export interface WebhookReceiver {
  /** Without a path: each path is a receiver of its own. */
  url: string
  /** In the order of their arrival; a full receiver answers 507 and keeps nothing more. */
  received: Delivered[]
  /** What came to one path. */
  at(path: string): Delivered[]
  /** From now on. */
  answerBy(script: Script): void
  stop(): Promise<void>
}

export interface ReceiverOptions {
  script?: Script
  /** With them it speaks TLS. */
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
    // A sender that goes away in mid-request is no concern of the receiver's.
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
 * As an integrator does it, by the public library.
 *
 * @returns the event.
 * @throws WebhookVerificationError
 */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what an event holds, so it may look at anything in it
export function verify({ body, headers }: Pick<Delivered, 'body' | 'headers'>, secret: string): any {
  return new Webhook(secret).verify(body, headers)
}

/** Whether one of its signatures is by this secret, whatever time the sender's clock says. */
export function isSignedBy({ body, headers }: Pick<Delivered, 'body' | 'headers'>, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers
  return signatures.split(' ').includes(new Webhook(secret).sign(id, new Date(Number(at) * 1000), body))
}
