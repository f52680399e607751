/**
 * One request to a URL that somebody else gave us: to checked addresses only, on a connection of its own, within one deadline for
 * everything from the look-up of the host to the last byte. Redirects are not followed, no proxy or cookie is used, nothing is unpacked.
 */
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { FetchFailure } from './failure.ts'
import type { PublicNetwork } from './public-network.ts'
import { hostOf, portOf } from './public-url.ts'

const HEADERS_LIMIT_BYTES = 16 * 1024

export interface PublicRequest {
  /** By `PublicNetwork.readUrl`. */
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  deadlineMs: number
  /** Ends it early. */
  signal?: AbortSignal
  /** Told the addresses of the URL's host before any of them is connected to. */
  onAddresses?: (addresses: string[]) => void
}

export interface PublicResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** May be left unread. Ends in a FetchFailure when it breaks off. */
  body: AsyncIterable<Buffer>
}

/**
 * @param read what is wanted of the answer; the connection is closed when it comes back.
 * @throws FetchFailure; the signal's reason when that ended it; what `read` throws.
 */
export async function request<Result>(
  network: PublicNetwork,
  asked: PublicRequest,
  read: (response: PublicResponse) => Promise<Result>,
): Promise<Result> {
  const { url, method, headers, body, deadlineMs, signal, onAddresses } = asked
  signal?.throwIfAborted()
  const over = new AbortController()
  const abort = () => over.abort()
  let late = false
  const deadline = setTimeout(() => {
    late = true
    abort()
  }, deadlineMs)
  signal?.addEventListener('abort', abort)

  /** What an error of the connection means. */
  function failureOf(error: unknown): unknown {
    if (late) return new FetchFailure('timeout', { cause: error })
    if (signal?.aborted) return signal.reason
    return error instanceof FetchFailure ? error : new FetchFailure('response', { cause: error })
  }

  async function* bytesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (error) {
      throw failureOf(error)
    }
  }

  let client: Client | undefined
  async function send(): Promise<Dispatcher.ResponseData> {
    const addresses = await network.addressesOf(url, over.signal)
    over.signal.throwIfAborted()
    onAddresses?.(addresses)
    client = new Client(url.origin, {
      connect: connectorTo(network, url, addresses, over.signal),
      allowH2: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      // Of these there is one for everything: the deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const path = url.pathname + url.search
    return await client.request({ path, method, headers, body, signal: over.signal, reset: true })
  }

  try {
    const answer = await send().catch((error: unknown) => {
      throw failureOf(error)
    })
    // A body that nobody reads to its end breaks off below, with nobody left to hear of it.
    answer.body.on('error', () => undefined)
    return await read({ status: answer.statusCode, headers: answer.headers, body: bytesOf(answer.body) })
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', abort)
    abort()
    await client?.destroy()
  }
}

/** By the checked addresses, in the name of the URL's host: that is what the certificate must be for. */
function connectorTo(
  network: PublicNetwork,
  url: URL,
  addresses: string[],
  signal: AbortSignal,
): buildConnector.connector {
  return (_options, callback) => {
    const host = hostOf(url)
    const plain = network.dial(addresses, portOf(url), signal)
    let settled = false
    const settle = (error: FetchFailure | null, socket: Socket | null = null) => {
      if (!settled) callback(error as Error, socket as null)
      settled = true
    }
    // Listeners that stay: a socket that is ended can fail once more, and must not take the process with it.
    plain.on('error', (error) => settle(new FetchFailure('connect', { cause: error })))
    plain.once('connect', () => {
      if (url.protocol === 'http:') return settle(null, plain)
      const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
      const secure = connectTls({ socket: plain, host, servername, ca: network.ca, ALPNProtocols: ['http/1.1'] })
      secure.on('error', (error) => settle(new FetchFailure('tls', { cause: error })))
      secure.once('secureConnect', () => settle(null, secure))
    })
  }
}
