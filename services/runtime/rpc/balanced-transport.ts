/**
 * Spreads calls over all replicas of a service. connect-node keeps one HTTP/2 connection for each transport, which behind one
 * address of a cluster would always be the same replica; so this resolves the name to all its addresses and keeps a transport
 * for each. Used by `connectRpc`.
 */
import { lookup } from 'node:dns/promises'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type Transport } from '@connectrpc/connect'
import { type ConnectTransportOptions, createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node'

/** How soon a new replica gets calls. */
const RESOLVE_EVERY_MS = 5_000

/** How long a replica that did not answer, or has no way to its database, is passed over. */
const REST_AFTER_FAILURE_MS = 1_000

const CONNECTION = { pingIntervalMs: 20_000, pingTimeoutMs: 5_000 }

interface Replica {
  transport: Transport
  session: Http2SessionManager
  restsUntil: number
}

export interface BalancedTransportOptions
  extends Pick<ConnectTransportOptions, 'baseUrl' | 'defaultTimeoutMs' | 'interceptors'> {
  /** All addresses of a host name; the system's resolver unless a test says otherwise. */
  resolve?: (host: string) => Promise<string[]>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

/**
 * Calls go to the replicas in turn. When a connection fails, or the replica answers `UNAVAILABLE`, the call is tried once more at the
 * next replica: always when it cannot have arrived, else only when its method says that it may be repeated (`idempotency_level`).
 * Streams are not served.
 */
export function createBalancedTransport(options: BalancedTransportOptions): { transport: Transport; close(): void } {
  const { resolve = resolveAll, now = () => performance.now(), ...transportOptions } = options
  const url = new URL(options.baseUrl)
  const replicas = new Map<string, Replica>()
  let turn = 0
  let resolvedAt = Number.NEGATIVE_INFINITY
  let resolving: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const addresses = new Set(await resolve(url.hostname.replace(/^\[|\]$/g, '')))
    for (const [address, replica] of replicas)
      if (!addresses.has(address)) {
        replicas.delete(address)
        retire(replica)
      }
    for (const address of addresses) if (!replicas.has(address)) replicas.set(address, connect(address))
    resolvedAt = now()
  }

  function connect(address: string): Replica {
    const at = new URL(url)
    at.hostname = address.includes(':') ? `[${address}]` : address
    const session = new Http2SessionManager(at.href, CONNECTION)
    const transport = createConnectTransport({
      ...transportOptions,
      baseUrl: at.href,
      httpVersion: '2',
      useBinaryFormat: true,
      acceptCompression: [],
      sessionManager: session,
    })
    return { transport, session, restsUntil: 0 }
  }

  async function pick(): Promise<Replica> {
    if (now() - resolvedAt > RESOLVE_EVERY_MS) {
      resolving ??= refresh().finally(() => {
        resolving = undefined
      })
      // Known addresses serve on while the name is looked up again, and when that fails.
      const looked = resolving.catch((error: unknown) => {
        if (replicas.size === 0)
          throw new ConnectError(`cannot resolve ${url.hostname}`, Code.Unavailable, undefined, undefined, error)
      })
      if (replicas.size === 0) await looked
    }
    const all = [...replicas.values()]
    const rested = all.filter((replica) => replica.restsUntil <= now())
    const candidates = rested.length > 0 ? rested : all
    const chosen = candidates[turn++ % candidates.length]
    if (!chosen) throw new ConnectError(`${url.hostname} has no address`, Code.Unavailable)
    return chosen
  }

  function letRest(replica: Replica): void {
    replica.restsUntil = now() + REST_AFTER_FAILURE_MS
  }

  const unary: Transport['unary'] = async (method, ...rest) => {
    const first = await pick()
    try {
      return await first.transport.unary(method, ...rest)
    } catch (error) {
      const failure = failureOf(error)
      if (!failure) throw error
      letRest(first)
      const isRepeatable = method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN
      if (failure.tryNext === 'never' || (failure.tryNext === 'if repeatable' && !isRepeatable)) throw failure.error
      const second = await pick()
      if (second === first && failure.isAnswer) throw failure.error
      return await second.transport.unary(method, ...rest).catch((again: unknown) => {
        const failedAgain = failureOf(again)
        if (failedAgain) letRest(second)
        throw failedAgain?.error ?? again
      })
    }
  }

  return {
    transport: {
      unary,
      stream: () => Promise.reject(new ConnectError('streams are not balanced', Code.Unimplemented)),
    },
    close() {
      for (const { session } of replicas.values()) session.abort()
    },
  }
}

const NEVER_ARRIVED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']

interface Failure {
  error: ConnectError
  /** Whether another replica may be asked the same. */
  tryNext: 'always' | 'if repeatable' | 'never'
  /** The replica said so itself: to connect to it anew would change nothing. */
  isAnswer: boolean
}

/**
 * Tells a failure of the replica from what it thinks of the call. Only one of the connection has an error of Node's behind it; that is
 * `UNAVAILABLE`, whatever connect-node made of it.
 */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof ConnectError)) return undefined
  if (error.cause instanceof Error && 'code' in error.cause) {
    const { code, message } = error.cause
    const neverArrived = NEVER_ARRIVED.includes(String(code)) || message.includes('NGHTTP2_REFUSED_STREAM')
    return {
      error: new ConnectError(`connection failed: ${message}`, Code.Unavailable, undefined, undefined, error.cause),
      tryNext: neverArrived ? 'always' : 'if repeatable',
      isAnswer: false,
    }
  }
  if (error.code === Code.Unavailable) return { error, tryNext: 'if repeatable', isAnswer: true }
  // The caller's time is over.
  if (error.code === Code.DeadlineExceeded) return { error, tryNext: 'never', isAnswer: false }
  return undefined
}

/** Lets the calls under way end before the connection goes. */
function retire({ session }: Replica): void {
  setTimeout(() => session.abort(), RESOLVE_EVERY_MS).unref()
}

async function resolveAll(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
