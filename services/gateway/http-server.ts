/**
 * The HTTP server around the app: limits against slow and oversized requests, an envelope also for invalid HTTP, and a
 * drain in which active requests finish. Called by `service.ts`.
 */
import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTIONS_MAX } from '@platen/resources/limits.ts'
import { ConfigError } from '@platen/runtime/config.ts'
import { type ConnectionLimits, limitConnections } from '@platen/runtime/limit-connections.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { createLimitReport } from '@platen/runtime/telemetry/limit-reports.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import { openCertificate, type TlsFiles, warnAboutCleartext } from '@platen/runtime/tls.ts'
import { createRefusals } from './refusals.ts'
import { createSlowClients } from './slow-clients.ts'

/** Limits of Node and of `slow-clients.ts`. Times are in milliseconds. */
const LIMITS = {
  maxConnections: CONNECTIONS_MAX,
  /** Node's own limits (60 s and 300 s, checked every 30 s) let slow clients hold connections for too long. */
  headersTimeout: 10_000,
  bodyPauseMs: 10_000,
  bodyTotalMs: 120_000,
  /** Longer than our own limits, also those of slow bodies, so that the client gets our error and not Node's. */
  requestTimeout: 16 * 60_000,
  connectionsCheckingInterval: 2_000,
  answerMs: 60_000,
  /** Bytes of the request line and the headers. */
  maxHeaderSize: 16 * 1024,
  /** Longer than the 60 s of usual balancers, which must be the first to close an idle connection. */
  keepAliveTimeout: 65_000,
  /** Node would answer without the envelope: see `require-target.ts`. */
  requireHostHeader: false,
  /** Time for which idle connections stay open when the process stops: a part of the drain time, and the maximum. */
  idleDrain: { part: 0.05, maxMs: 5_000 },
}
export type HttpLimits = typeof LIMITS
const HEADERS_MAX = 100
const CHECK_EVERY_MS = 20

export interface HttpServerOptions {
  listen: { host?: string; port: number }
  tls: TlsFiles | undefined
  hsts: string | undefined
  /** `PLATEN_PUBLIC_URL`, for errors. */
  publicUrl?: string | undefined
  connections: Omit<ConnectionLimits, 'max'>
  /** Replacements by tests. */
  limits?: Partial<HttpLimits>
}

/** @throws ConfigError if the port is in use or a TLS file is invalid. */
export async function serveHttp(
  service: ServiceProcess,
  app: RequestListener,
  { listen, tls, hsts, publicUrl, connections, limits: changed }: HttpServerOptions,
): Promise<{ port: number }> {
  const limits = { ...LIMITS, ...changed }
  const refuse = createRefusals(service.log, hsts, publicUrl)
  const openConnections = new Set<Socket>()
  const active = new Map<IncomingMessage, ServerResponse>()
  const handle: RequestListener = (request, response) => {
    active.set(request, response)
    if (service.stopping.aborted) closeAfter(response)
    response.once('close', () => active.delete(request))
    slowClients.watch(request, response)
    if (request.rawHeaders.length > 2 * HEADERS_MAX) refuse.request('HEADERS_MAX', response)
    else app(request, response)
  }
  const slowClients = createSlowClients(service.log, limits)
  startTimer(service, 'slow clients', limits.connectionsCheckingInterval, async () => slowClients.check())
  const server = await createServer(service, tls, limits, handle)
  // With a limit, Node drops further headers silently.
  server.maxHeadersCount = 0
  limitConnections(server, { max: limits.maxConnections, ...connections }, createLimitReport(service.log))
  // `100 Continue` is sent by the step that reads the body, so that a refused client need not send it.
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connection', (socket) => {
    openConnections.add(socket)
    socket.once('close', () => openConnections.delete(socket))
  })
  const getActive = (socket: Duplex) => [...active].filter(([request]) => request.socket === socket)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse.connection(error.code ?? '', socket, getActive(socket)),
  )
  // Without this listener Node closes the connection without a response.
  server.on('connect', (_request, socket) => refuse.connection('CONNECT', socket, getActive(socket)))

  warnAboutCleartext(service.log, listen.host, tls)
  try {
    server.listen(listen.port, listen.host)
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new ConfigError(`Port ${listen.port} is in use. Free it, or set PLATEN_PORT to another one.`)
    throw error
  }
  service.onStop('HTTP server', async () => {
    for (const response of active.values()) closeAfter(response)
    // A client can send a request on an idle connection before it learns that it is closed, and cannot repeat every
    // request.
    const { part, maxMs } = limits.idleDrain
    const deadline = performance.now() + Math.min(part * service.drainMs, maxMs)
    while (openConnections.size > 0 && performance.now() < deadline) await sleep(CHECK_EVERY_MS)
    const closed = once(server, 'close')
    server.close()
    const busy = new Set([...active.keys()].map(({ socket }) => nameConnection(socket)))
    for (const socket of openConnections) if (!busy.has(nameConnection(socket))) socket.destroy()
    await closed
  })
  return { port: (server.address() as AddressInfo).port }
}

async function createServer(
  service: ServiceProcess,
  tls: TlsFiles | undefined,
  limits: HttpLimits,
  handle: RequestListener,
): Promise<Server> {
  if (!tls) return createHttpServer(limits, handle)
  const certificate = await openCertificate(service, tls, (changed) => server.setSecureContext(changed))
  const server = createHttpsServer({ ...limits, ...certificate, handshakeTimeout: limits.headersTimeout }, handle)
  return server
}

/** Announces that the response is the last one on its connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** The socket of a request differs from that of its connection if TLS is between them. */
const nameConnection = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
