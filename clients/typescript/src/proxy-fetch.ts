/**
 * `fetch` through a proxy, for Node, whose own has none before Node 24. Deno and Bun use the proxy of the environment
 * themselves. Sends what `http.ts` sends: a text or a `Blob`, and follows no redirect.
 */
import { getBuiltin } from './builtin.ts'
import type { ProxyServer } from './proxy.ts'

/** The time for an answer to CONNECT. */
const CONNECT_MS = 10_000
/** Responses with these have no body. */
const WITHOUT_BODY = [204, 205, 304]

// The parts of the modules of Node that are used.
interface Socket {
  destroy(): void
}
interface Message {
  statusCode: number
  statusMessage: string
  rawHeaders: string[]
  resume(): void
}
interface ClientRequest {
  once(event: 'response', listener: (message: Message) => void): this
  once(event: 'connect', listener: (message: Message, socket: Socket) => void): this
  once(event: 'error', listener: (error: Error) => void): this
  once(event: 'timeout', listener: () => void): this
  destroy(error?: Error): this
  end(): this
}
interface Agent {
  createConnection(options: object, done: (error: unknown, socket?: Socket) => void): void
}
interface Http {
  request(options: object): ClientRequest
  Agent: new (options: { keepAlive: boolean }) => Agent
}
interface Modules {
  http: Http
  https: Http
  tls: { connect(options: object): Socket }
  stream: {
    Readable: { fromWeb(stream: ReadableStream): object; toWeb(message: Message): ReadableStream<Uint8Array> }
    pipeline(from: object, to: ClientRequest, done: (error?: Error) => void): void
  }
}

export function createProxyFetch(proxy: ProxyServer): typeof fetch {
  const modules = loadModules()
  const toProxy = getTransport(modules, proxy.url)
  // Connections are used again, also tunnels. They keep no process alive.
  const plain = new toProxy.Agent({ keepAlive: true })
  const tunnels = new modules.https.Agent({ keepAlive: true })
  tunnels.createConnection = (options, done) => {
    openTunnel(modules, proxy, options as { host: string; port: number }).then(
      (socket) => done(null, modules.tls.connect({ ...options, path: undefined, socket })),
      (error: unknown) => done(error),
    )
  }
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(String(input))
    const blob = body === undefined || body === null ? undefined : new Blob([body as string | Blob])
    const sent = {
      ...(headers as Record<string, string>),
      host: url.host,
      ...(blob && { 'content-length': String(blob.size) }),
    }
    const request =
      url.protocol === 'https:'
        ? modules.https.request({ ...toAddress(url), ...toPath(url), method, signal, headers: sent, agent: tunnels })
        : toProxy.request({
            ...toAddress(proxy.url),
            path: url.href,
            method,
            signal,
            headers: { ...sent, ...toCredential(proxy) },
            agent: plain,
          })
    return await send(modules, request, blob)
  }
}

/** @throws TypeError with the failure as `cause`, as that of `fetch`. */
async function send({ stream }: Modules, request: ClientRequest, blob: Blob | undefined): Promise<Response> {
  const message = await new Promise<Message>((resolve, reject) => {
    const fail = (cause: Error) => reject(new TypeError('fetch failed', { cause }))
    request.once('response', resolve).once('error', fail)
    if (!blob) return void request.end()
    stream.pipeline(stream.Readable.fromWeb(blob.stream()), request, (error) => error && fail(error))
  })
  const headers = new Headers()
  for (let at = 0; at < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  const { statusCode: status, statusMessage: statusText } = message
  const hasBody = !WITHOUT_BODY.includes(status)
  if (!hasBody) message.resume()
  return new Response(hasBody ? stream.Readable.toWeb(message) : null, { status, statusText, headers })
}

/** A connection to the host of the request, by CONNECT. */
async function openTunnel(
  modules: Modules,
  proxy: ProxyServer,
  target: { host: string; port: number },
): Promise<Socket> {
  const path = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`
  const request = getTransport(modules, proxy.url).request({
    ...toAddress(proxy.url),
    path,
    method: 'CONNECT',
    headers: { host: path, ...toCredential(proxy) },
    agent: false,
    timeout: CONNECT_MS,
  })
  return await new Promise<Socket>((resolve, reject) => {
    request
      .once('connect', ({ statusCode, statusMessage }, socket) => {
        if (statusCode === 200) return resolve(socket)
        socket.destroy()
        reject(new Error(`the proxy answers ${statusCode} ${statusMessage}`))
      })
      .once('timeout', () => request.destroy(new Error(`the proxy does not answer within ${CONNECT_MS} ms`)))
      .once('error', reject)
      .end()
  })
}

const toCredential = ({ authorization }: ProxyServer) => authorization && { 'proxy-authorization': authorization }
const toPath = ({ pathname, search }: URL) => ({ path: pathname + search })
const toAddress = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
})
const getTransport = ({ http, https }: Modules, { protocol }: URL) => (protocol === 'https:' ? https : http)

function loadModules(): Modules {
  const load = <Name extends keyof Modules>(name: Name) => getBuiltin<Modules[Name]>(`node:${name}`) as Modules[Name]
  return { http: load('http'), https: load('https'), tls: load('tls'), stream: load('stream') }
}
