/** Sends requests: address, key, time limit, retries, errors. Every resource uses it. */
import { ApiError, ConnectionError, PlatenError, TimeoutError } from './errors.ts'
import type { Form } from './form.ts'
import { List, type Page } from './list.ts'
import { describeProxy, type ProxyServer } from './proxy.ts'
import { toApiError } from './response-error.ts'
import { getRetryDelayMs, sleep } from './retry.ts'

/** The options of one call. */
export interface RequestOptions {
  /** Ends the call, and its retries, with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds for each attempt. The default is that of the client. */
  timeout?: number | undefined
  /** Attempts after the first one. The default is that of the client. */
  maxRetries?: number | undefined
}

export type QueryValue = string | number | boolean | Date | null | undefined

export interface Call {
  method: string
  path: string
  /** A list is repeated, and each member of an object is a parameter `name[member]`. */
  query?: Record<string, QueryValue | readonly QueryValue[] | Record<string, QueryValue>> | undefined
  /** Sent as JSON. */
  body?: unknown
  form?: Form | undefined
  /** Makes a creation safe to repeat. */
  idempotencyKey?: string | undefined
  /** The credential, if it is not the API key. */
  token?: string | undefined
}

export interface HttpSettings {
  apiKey: string
  baseUrl: URL
  /** The proxy of the requests, for messages. */
  proxy: ProxyServer | undefined
  timeoutMs: number
  maxRetries: number
  fetch: typeof fetch
}

const PROXY_REFUSED = 407
/** The slowest upload that the service accepts sends 25 MB in two minutes. */
const UPLOAD_BYTES_PER_MS = 200

export class Http {
  // Private, so that no `inspect` and no JSON of a client shows the key.
  readonly #settings: HttpSettings

  constructor(settings: HttpSettings) {
    this.#settings = settings
  }

  /** @returns the JSON of the response, undefined for `204`. */
  async json<Json>(call: Call, options?: RequestOptions): Promise<Json> {
    return (await this.send(call, options, readJson)) as Json
  }

  list<Item, T = Item>(
    path: string,
    query: object | undefined,
    options?: RequestOptions,
    toItem?: (item: Item) => T,
  ): List<T> {
    return new List<T>(async (after) => {
      const call: Call = { method: 'GET', path, query: { ...(query as Call['query']), ...(after && { after }) } }
      const page = (await this.send(call, options, readJson)) as Page<Item>
      return toItem ? { ...page, data: page.data.map(toItem) } : (page as unknown as Page<T>)
    })
  }

  /**
   * Repeats the request while it is safe and may help: only a `GET`, or a creation with an `Idempotency-Key`.
   *
   * @param read reads the body of a successful response. It is part of the attempt.
   * @throws ApiError, ConnectionError, TimeoutError; the reason of `options.signal`.
   */
  async send<T>(call: Call, options: RequestOptions = {}, read: (response: Response) => Promise<T>): Promise<T> {
    const { maxRetries = this.#settings.maxRetries, signal } = options
    const isRepeatable = call.method === 'GET' || call.idempotencyKey !== undefined
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#attempt(call, options, read)
      } catch (error) {
        signal?.throwIfAborted()
        const delayMs = isRepeatable && attempts <= maxRetries ? getRetryDelayMs(error, attempts) : undefined
        if (delayMs === undefined) throw error
        await sleep(delayMs, signal)
      }
    }
  }

  async #attempt<T>(call: Call, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const { baseUrl, proxy, fetch } = this.#settings
    const route = proxy ? ` Requests to ${baseUrl.origin} go through the proxy ${describeProxy(proxy)}.` : ''
    const { method, path, body, form } = call
    const timeoutMs = (options.timeout ?? this.#settings.timeoutMs) + (form?.body.size ?? 0) / UPLOAD_BYTES_PER_MS
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs))
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    const init: RequestInit = {
      method,
      headers: this.#getHeaders(call),
      // A redirect could send the key to another host.
      redirect: 'manual',
      signal,
      ...(form ? { body: form.body } : body !== undefined && { body: JSON.stringify(body) }),
    }
    try {
      const response = await fetch(this.#getUrl(call), init)
      if (proxy && response.status === PROXY_REFUSED) throw new Error('the proxy requires another user and password')
      if (!response.ok) throw toApiError(response, await response.text())
      return await read(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      options.signal?.throwIfAborted()
      const request = `${method} ${path}`
      if (timeout.aborted)
        throw new TimeoutError(
          `${request}: no answer from ${baseUrl.origin} within ${Math.ceil(timeoutMs)} ms.${route}`,
        )
      throw new ConnectionError(
        `${request}: no complete answer from ${baseUrl.origin} (${getReason(error)}). Check the address and that Platen runs there.${route}`,
        { cause: error },
      )
    }
  }

  #getHeaders({ body, form, idempotencyKey, token = this.#settings.apiKey }: Call): Record<string, string> {
    return {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': form.contentType }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
  }

  #getUrl({ path, query = {} }: Call): URL {
    const { baseUrl } = this.#settings
    const url = new URL(baseUrl.pathname.replace(/\/$/, '') + path, baseUrl)
    for (const [name, value] of Object.entries(query).flatMap(toParameters))
      if (value !== undefined && value !== null)
        url.searchParams.append(name, value instanceof Date ? value.toISOString() : String(value))
    return url
  }
}

function toParameters([name, value]: [string, unknown]): [string, QueryValue][] {
  if (Array.isArray(value)) return value.map((one) => [name, one])
  if (typeof value !== 'object' || value === null || value instanceof Date) return [[name, value as QueryValue]]
  return Object.entries(value).map(([member, one]) => [`${name}[${member}]`, one])
}

/** @throws SyntaxError, which is repeated like a connection that ended early. */
export async function readJson(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : JSON.parse(await response.text())
}

/**
 * A path with escaped ids: `` path`/v1/printers/${id}` ``.
 *
 * @throws PlatenError for an empty id and for `.` and `..`, which would be another path.
 */
export function path(parts: TemplateStringsArray, ...ids: (string | number)[]): string {
  const escaped = ids.map((id) => {
    const isId = Number.isSafeInteger(id) || (typeof id === 'string' && !/^\.{0,2}$/.test(id))
    if (!isId) throw new PlatenError(`${JSON.stringify(id)} is not an id.`)
    return encodeURIComponent(id)
  })
  return String.raw({ raw: parts }, ...escaped)
}

/** @returns for example `ECONNREFUSED`, or the failure of each address of a host: the cause of an error of `fetch`. */
function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError) return cause.errors.map(({ message }: Error) => message).join(', ')
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error instanceof SyntaxError ? 'the body is not JSON' : error.message
}
