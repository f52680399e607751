/**
 * The HTTP server around the app: limits against slow and oversized requests, an envelope also for what is no HTTP at all, and
 * a drain in which requests under way finish. Called by `service.ts`.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ConfigError } from '@platen/runtime/config.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { v4 as uuidv4 } from 'uuid'
import { errorEnvelope } from './error-envelope.ts'

const LIMITS = {
  /** Node's own limits (60 s and 300 s, looked at every 30 s) let slow clients hold connections for too long. */
  headersTimeout: 10_000,
  /** 25 MB in that time is 2.4 Mbit/s. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  /** Bytes. */
  maxHeaderSize: 16 * 1024,
  /** Longer than the 60 s of usual balancers, which must be the first to close an idle connection. */
  keepAliveTimeout: 65_000,
  /** Node would answer without the envelope: see `require-target.ts`. */
  requireHostHeader: false,
}
const HEADERS_MAX = 100

/** @throws ConfigError when the port is taken. */
export async function serveHttp(
  service: ServiceProcess,
  listen: { host?: string; port: number },
  app: RequestListener,
): Promise<{ port: number }> {
  const connections = new Set<Socket>()
  const underWay = new Map<IncomingMessage, ServerResponse>()
  const handle: RequestListener = (request, response) => {
    underWay.set(request, response)
    response.once('close', () => underWay.delete(request))
    app(request, response)
  }
  const server = createServer(LIMITS, handle)
  server.maxHeadersCount = HEADERS_MAX
  // The body is asked for by whoever reads it, so that a refused client need not send it.
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const underWayOn = (socket: Duplex) => [...underWay].filter(([request]) => request.socket === socket)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerClientError(service.log, error.code ?? '', socket, underWayOn(socket)),
  )
  // Without this Node closes the connection and says nothing.
  server.on('connect', (_request, socket) => answerClientError(service.log, 'CONNECT', socket, underWayOn(socket)))

  try {
    server.listen(listen.port, listen.host)
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new ConfigError(`Port ${listen.port} is in use. Free it, or set PLATEN_PORT to another one.`)
    throw error
  }
  service.onStop('HTTP server', async () => {
    const closed = once(server, 'close')
    server.close()
    const busy = new Set([...underWay.keys()].map(({ socket }) => socket))
    for (const socket of connections) if (!busy.has(socket)) socket.destroy()
    await closed
  })
  return { port: (server.address() as AddressInfo).port }
}

/** By Node's codes for what is wrong with the request, or by its method; anything else is a 400. */
const CLIENT_ERRORS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: `The headers are larger than ${LIMITS.maxHeaderSize} bytes.` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  CONNECT: { status: 400, message: 'This is no proxy: it has no method `CONNECT`.' },
}
const NOT_HTTP = { status: 400, message: 'This is not a valid HTTP request.' }

/** As long is read on, and thrown away, before the connection is closed: closing it at once would take the answer with it. */
const LINGER_MS = 2_000
const lingering = new WeakSet<Duplex>()

function closeAfterAnswer(socket: Duplex): void {
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * Answers a request that Node could not read. One that the app has already got is given no answer here: the app sees it end,
 * and logs it. Behind complete ones it is thrown away, and they have their answers first.
 */
function answerClientError(
  log: Logger,
  reason: string,
  socket: Duplex,
  underWay: [request: IncomingMessage, response: ServerResponse][],
): void {
  // Node tells anew for each further piece of the same request.
  if (lingering.has(socket) && reason !== 'ECONNRESET') return
  const last = underWay.at(-1)
  if (reason === 'ECONNRESET' || !socket.writable || (last && !last[0].complete)) {
    socket.destroy()
    return
  }
  lingering.add(socket)
  if (last) {
    last[1].once('finish', () => {
      socket.end()
      closeAfterAnswer(socket)
    })
    return
  }
  const { status, message } = CLIENT_ERRORS[reason] ?? NOT_HTTP
  const requestId = uuidv4()
  const body = JSON.stringify(errorEnvelope('invalid_request', message, requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  )
  closeAfterAnswer(socket)
  log.info({ status, request_id: requestId, error_code: 'invalid_request', reason }, 'request')
}
