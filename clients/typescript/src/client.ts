/** The client: its settings. */
import { getEnvironment, isNode } from './builtin.ts'
import { PlatenError } from './errors.ts'
import { Resources } from './gen/resources.ts'
import { type Call, Http, type RequestOptions, readJson } from './http.ts'
import { findProxy } from './proxy.ts'
import { createProxyFetch } from './proxy-fetch.ts'

export interface PlatenOptions {
  /** The API key. Default: the environment variable `PLATEN_KEY`. */
  apiKey?: string | undefined
  /** The address of the REST API. Default: the environment variable `PLATEN_URL`. */
  baseUrl?: string | URL | undefined
  /** Attempts after the first one. Default: 2. */
  maxRetries?: number | undefined
  /** Milliseconds for each attempt. Uploads have more, by their size. Default: 30,000. */
  timeout?: number | undefined
  /** Sends the requests. Default: the global `fetch`, through the proxy that the environment names. */
  fetch?: typeof fetch | undefined
}

const DEFAULTS = { maxRetries: 2, timeoutMs: 30_000 }

/** A client of one installation with one API key, which decides about organization and mode. */
export class Platen extends Resources {
  readonly #http: Http

  /** @throws PlatenError if the key, the address or the proxy is missing or malformed. */
  constructor(options: PlatenOptions = {}) {
    const env = getEnvironment()
    const apiKey = parseKey(options.apiKey ?? env.PLATEN_KEY)
    const baseUrl = parseBaseUrl(options.baseUrl ?? env.PLATEN_URL)
    // Deno and Bun use it themselves, and Deno refuses to read a variable without a permission.
    const proxy = options.fetch || !isNode() ? undefined : findProxy(baseUrl, env)
    const ownFetch = proxy && createProxyFetch(proxy)
    const http = new Http({
      apiKey,
      baseUrl,
      proxy,
      timeoutMs: options.timeout ?? DEFAULTS.timeoutMs,
      maxRetries: options.maxRetries ?? DEFAULTS.maxRetries,
      fetch: options.fetch ?? ownFetch ?? ((...request) => fetch(...request)),
    })
    super(http)
    this.#http = http
  }

  /**
   * Sends any request, for operations that this version does not know. A `GET` is repeated after a failure, another
   * request only with `idempotencyKey`.
   *
   * @param path begins with `/v1/`.
   * @returns the parsed JSON of the response, undefined for `204`.
   */
  async request(
    method: string,
    path: string,
    call: Pick<Call, 'query' | 'body' | 'idempotencyKey'> = {},
    options?: RequestOptions,
  ): Promise<unknown> {
    if (!/^\/[\w%.~/-]*(\?.*)?$/s.test(path))
      throw new PlatenError('The path must begin with /, for example /v1/printers.')
    return await this.#http.send({ ...call, method: method.toUpperCase(), path }, options, readJson)
  }
}

/** A key that was read from a file can end with a line break. */
function parseKey(text: string | undefined): string {
  const apiKey = text?.trim()
  if (!apiKey)
    throw new PlatenError('An API key is required: the option `apiKey` or the environment variable PLATEN_KEY.')
  // Never part of the message: the value can be another secret.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new PlatenError('The API key must be printable ASCII without white space.')
  return apiKey
}

function parseBaseUrl(baseUrl: string | URL | undefined): URL {
  if (!baseUrl)
    throw new PlatenError('The address is required: the option `baseUrl` or the environment variable PLATEN_URL.')
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new PlatenError(
      'The address must be an http or https URL without credentials, for example https://platen.example.com',
    )
  return url
}
