/** One HTTP request to the service, with the same proxy and trusted certificates as the stream. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { selectProxy } from './proxy.ts'
import { getTrustContext } from './trust.ts'

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
export async function request(
  url: URL,
  route: Route,
  { method, headers, body, timeoutMs }: HttpRequest,
): Promise<HttpAnswer> {
  const isSecure = url.protocol === 'https:'
  const proxy = selectProxy(url, route.proxy)?.href
  const options = { proxyEnv: proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }
  const agent = isSecure
    ? new HttpsAgent({ ...options, secureContext: getTrustContext(route.caFile) })
    : new HttpAgent(options)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return await new Promise((resolve, reject) => {
      const open = isSecure ? httpsRequest : httpRequest
      const sent = open(url, { method, headers: { 'user-agent': 'platen-agent', ...headers }, agent, signal })
      sent.once('error', reject)
      sent.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length > ANSWER_MAX_BYTES) response.destroy(new Error('the response is too long'))
        })
        response.once('error', reject)
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      })
      sent.end(body)
    })
  } finally {
    agent.destroy()
  }
}
