/** One HTTP request to the service, with the same proxy and trusted certificates as the stream. */
import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { selectProxy } from './proxy.ts'
import { getTrustContext } from './trust.ts'
import { ProxyFailure } from './tunnel.ts'

const ANSWER_MAX_BYTES = 64 * 1024

/** Connection settings, from `agent.json` or from the command line. */
export interface Route {
  caFile?: string
  proxy?: string
}

export interface HttpAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Timeout from the connection to the end of the response. */
  timeoutMs: number
}

/** @throws Error without a response; `explain` converts it to a message. */
export async function request(url: URL, route: Route, options: HttpRequest): Promise<HttpAnswer> {
  return await exchange(url, route, options, async (response) => {
    let body = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      body += chunk
      if (body.length > ANSWER_MAX_BYTES) throw new Error('the response is too long')
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body }
  })
}

/**
 * @param read the response, to its end.
 * @throws as `request`, and what `read` throws.
 */
export async function exchange<T>(
  url: URL,
  route: Route,
  { method, headers, body, timeoutMs }: HttpRequest,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const isSecure = url.protocol === 'https:'
  const proxy = selectProxy(url, route.proxy)
  const options = { proxyEnv: proxy === undefined ? {} : { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } }
  const agent = isSecure
    ? new HttpsAgent({ ...options, secureContext: getTrustContext(route.caFile) })
    : new HttpAgent(options)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const open = isSecure ? httpsRequest : httpRequest
    const sent = open(url, { method, headers: { 'user-agent': 'platen-agent', ...headers }, agent, signal })
    // Errors after the response are also errors of the response.
    sent.on('error', () => undefined)
    const responds = once(sent, 'response')
    sent.end(body)
    const [response] = (await responds.catch((error) => {
      throw toProxyFailure(error, proxy) ?? error
    })) as [IncomingMessage]
    if (proxy && response.statusCode === 407) throw new ProxyFailure(proxy, 407)
    return await read(response)
  } finally {
    agent.destroy()
  }
}

/** @returns undefined if the proxy is not the cause. */
function toProxyFailure(error: unknown, proxy: URL | undefined): ProxyFailure | undefined {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  if (!proxy || !(first instanceof Error) || !('code' in first)) return undefined
  if (first.code === 'ERR_PROXY_TUNNEL')
    return new ProxyFailure(proxy, 'statusCode' in first ? Number(first.statusCode) : undefined, { cause: error })
  const isUnreachable = 'syscall' in first && (first.syscall === 'connect' || first.syscall === 'getaddrinfo')
  return isUnreachable ? new ProxyFailure(proxy, undefined, { cause: error }) : undefined
}
