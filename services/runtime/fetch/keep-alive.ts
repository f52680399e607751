/**
 * Requests to URLs that somebody else gave us, as `request.ts` makes them, on connections that are kept for the next request to the same
 * origin: a new one for each request would cost several times what the request does.
 *
 * A connection is made to checked addresses only. The host is looked up and checked again after `CHECK_AGAIN_MS` at the latest; when it
 * leads elsewhere by then, nothing new begins on the old connections. One request at a time on each; one that breaks off, or whose answer
 * was left unread, is not used again.
 */
import { setInterval } from 'node:timers'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { connectorTo, HEADERS_LIMIT_BYTES } from './connector.ts'
import { exchange, type PublicRequest, type PublicResponse } from './exchange.ts'
import type { PublicNetwork } from './public-network.ts'

const CHECK_AGAIN_MS = 10_000
/** Without a request for so long an origin's pool is forgotten. Idle connections are closed sooner: after 4 s, or what the server says. */
const FORGET_AFTER_MS = 30_000
const CONNECTION_IDLE_MAX_MS = 30_000
/** Of pools; beyond, the one is closed that was made first. */
const ORIGINS_MAX = 1_000
/** Of one connection, its TLS included. A request has a deadline of its own; the connection is for whoever comes next. */
const CONNECT_WITHIN_MS = 15_000
/** How a connection fails that the server closed just when it was to be used again. */
const STALE_CODES = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

interface Route {
  origin: string
  pool: Pool
  /** In an order that is always the same. */
  addresses: string
  checkedAt: number
  usedAt: number
  /** Something was answered: from now on a request may get a connection that was used before. */
  wasAnswered: boolean
}

export interface KeepAlive {
  /**
   * @param read what is wanted of the answer; the connection is kept when it has read all of it.
   * @throws FetchFailure; the signal's reason when that ended it; what `read` throws.
   */
  request<Result>(asked: PublicRequest, read: (response: PublicResponse) => Promise<Result>): Promise<Result>
  /** Ends what is under way, too. */
  close(): Promise<void>
}

/** @param now milliseconds of a clock that never goes back; a test moves its own. */
export function createKeepAlive(network: PublicNetwork, now = () => performance.now()): KeepAlive {
  const routes = new Map<string, Route>()

  async function routeTo(url: URL, over: AbortSignal): Promise<Route> {
    const known = routes.get(url.origin)
    if (known && now() - known.checkedAt < CHECK_AGAIN_MS) return known
    const addresses = await network.addressesOf(url, over).catch((error: unknown) => {
      if (known && !over.aborted) drop(known)
      throw error
    })
    over.throwIfAborted()
    const key = addresses.toSorted().join()
    // Somebody else may have looked, too.
    const present = routes.get(url.origin)
    if (present?.addresses === key) {
      present.checkedAt = now()
      return present
    }
    if (present) drop(present)
    return addRoute(url, addresses, key)
  }

  function addRoute(url: URL, addresses: string[], key: string): Route {
    const [oldest] = routes.values()
    if (oldest && routes.size >= ORIGINS_MAX) drop(oldest)
    const pool = new Pool(url.origin, {
      connect: patiently((signal) => connectorTo(network, url, addresses, signal)),
      // As many as requests: the caller bounds these.
      connections: null,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      keepAliveMaxTimeout: CONNECTION_IDLE_MAX_MS,
      // Of these there is one for everything: the request's deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const at = now()
    const route = { origin: url.origin, pool, addresses: key, checkedAt: at, usedAt: at, wasAnswered: false }
    routes.set(route.origin, route)
    return route
  }

  /** What is under way on it goes on. */
  function drop(route: Route): void {
    if (routes.get(route.origin) === route) routes.delete(route.origin)
    void route.pool.close().catch(() => undefined)
  }

  async function send(asked: PublicRequest, over: AbortSignal): Promise<Dispatcher.ResponseData> {
    const route = await routeTo(asked.url, over)
    route.usedAt = now()
    try {
      return await sendBy(route, asked, over)
    } catch (error) {
      if (!route.wasAnswered || over.aborted || !isStale(error)) throw error
      // The server closed a connection that it had kept: no word of it about this request, which deserves one that is new.
      drop(route)
      return await sendBy(await routeTo(asked.url, over), asked, over)
    }
  }

  const forget = setInterval(() => {
    const before = now() - FORGET_AFTER_MS
    for (const route of routes.values()) if (route.usedAt < before) drop(route)
  }, FORGET_AFTER_MS / 2).unref()

  return {
    request: (asked, read) => exchange(asked, (over) => send(asked, over), read),
    async close() {
      clearInterval(forget)
      await Promise.all([...routes.values()].map(({ pool }) => pool.destroy()))
      routes.clear()
    },
  }
}

async function sendBy(
  route: Route,
  { url, method, headers, body }: PublicRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const answer = await route.pool.request({ path: url.pathname + url.search, method, headers, body, signal })
  route.wasAnswered = true
  return answer
}

/** A connection that is not there in time is given up, whoever waits for it. */
function patiently(connectorUntil: (signal: AbortSignal) => buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const limit = new AbortController()
    const late = setTimeout(() => limit.abort(), CONNECT_WITHIN_MS)
    connectorUntil(limit.signal)(options, (...outcome) => {
      clearTimeout(late)
      callback(...outcome)
    })
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && STALE_CODES.includes(String(error.code))
