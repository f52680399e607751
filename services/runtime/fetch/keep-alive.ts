/**
 * Requests to user-supplied URLs as in `request.ts`, but with connections that are reused for the same origin, because
 * a new connection costs several times as much as a request.
 *
 * Connections are made to checked addresses only. The host is resolved and checked again after `RESOLVE_EVERY_MS` at
 * the latest. If its addresses changed, the old connections get no new requests. A connection carries one request at a
 * time, and is closed after a failure or an unread response.
 */
import { setInterval } from 'node:timers'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { createConnector, HEADERS_LIMIT_BYTES } from './connector.ts'
import { exchange, type PublicRequest, type PublicResponse } from './exchange.ts'
import type { PublicNetwork } from './public-network.ts'

const RESOLVE_EVERY_MS = 10_000
/**
 * Idle time after which the pool of an origin is closed. Its connections close sooner: after 4 s or the server's
 * keep-alive timeout.
 */
const POOL_IDLE_MAX_MS = 30_000
const CONNECTION_IDLE_MAX_MS = 30_000
/** Number of pools. Beyond it the oldest pool is closed. */
const ORIGINS_MAX = 1_000
/**
 * For a connection including TLS. Independent of the request's deadline, because later requests can use the connection.
 */
const CONNECT_TIMEOUT_MS = 15_000
/** Errors of a reused connection that the server has just closed. */
const STALE_CODES = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

interface Route {
  origin: string
  pool: Pool
  /** Sorted. */
  addresses: string[]
  checkedAt: number
  usedAt: number
  /** The pool has received a response, so a request can get a reused connection. */
  hasResponded: boolean
}

export interface KeepAlive {
  /**
   * @param read processes the response. The connection is reused if `read` consumes the whole body.
   * @throws FetchFailure; the reason of `signal` if it cancelled the request; errors of `read`.
   */
  request<Result>(request: PublicRequest, read: (response: PublicResponse) => Promise<Result>): Promise<Result>
  /** It also cancels running requests. */
  close(): Promise<void>
}

/** @param now milliseconds of a monotonic clock. */
export function createKeepAlive(network: PublicNetwork, now = () => performance.now()): KeepAlive {
  const routes = new Map<string, Route>()

  async function getRoute(url: URL, over: AbortSignal): Promise<Route> {
    const known = routes.get(url.origin)
    if (known && now() - known.checkedAt < RESOLVE_EVERY_MS) return known
    const addresses = await network.resolveAddresses(url, over).catch((error: unknown) => {
      if (known && !over.aborted) drop(known)
      throw error
    })
    over.throwIfAborted()
    const sorted = addresses.toSorted()
    // A concurrent request may have resolved the host too.
    const present = routes.get(url.origin)
    if (present?.addresses.join() === sorted.join()) {
      present.checkedAt = now()
      return present
    }
    if (present) drop(present)
    return addRoute(url, addresses, sorted)
  }

  function addRoute(url: URL, addresses: string[], sorted: string[]): Route {
    const [oldest] = routes.values()
    if (oldest && routes.size >= ORIGINS_MAX) drop(oldest)
    const pool = new Pool(url.origin, {
      connect: withConnectTimeout((signal) => createConnector(network, url, addresses, signal)),
      // Unlimited, because the caller limits concurrent requests.
      connections: null,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      keepAliveMaxTimeout: CONNECTION_IDLE_MAX_MS,
      // The request's deadline covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const at = now()
    const route = { origin: url.origin, pool, addresses: sorted, checkedAt: at, usedAt: at, hasResponded: false }
    routes.set(route.origin, route)
    return route
  }

  /** Closes the pool after its running requests. */
  function drop(route: Route): void {
    if (routes.get(route.origin) === route) routes.delete(route.origin)
    void route.pool.close().catch(() => undefined)
  }

  async function send(request: PublicRequest, over: AbortSignal): Promise<Dispatcher.ResponseData> {
    const route = await getRoute(request.url, over)
    route.usedAt = now()
    request.onAddresses?.(route.addresses)
    try {
      return await sendBy(route, request, over)
    } catch (error) {
      if (!route.hasResponded || over.aborted || !isStale(error)) throw error
      // The server closed an idle connection before it received the request. Retried once on a new connection.
      drop(route)
      return await sendBy(await getRoute(request.url, over), request, over)
    }
  }

  const dropIdle = setInterval(() => {
    const before = now() - POOL_IDLE_MAX_MS
    for (const route of routes.values()) if (route.usedAt < before) drop(route)
  }, POOL_IDLE_MAX_MS / 2).unref()

  return {
    request: (request, read) => exchange(request, (over) => send(request, over), read),
    async close() {
      clearInterval(dropIdle)
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
  const response = await route.pool.request({ path: url.pathname + url.search, method, headers, body, signal })
  route.hasResponded = true
  return response
}

function withConnectTimeout(create: (signal: AbortSignal) => buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), CONNECT_TIMEOUT_MS)
    create(timeout.signal)(options, (...outcome) => {
      clearTimeout(timer)
      callback(...outcome)
    })
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && STALE_CODES.includes(String(error.code))
