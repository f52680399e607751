/**
 * Serves a service's RPCs to other processes: Connect protocol over HTTP/2 without TLS, for loopback or a cluster's own
 * network. Each call carries the installation's secret. `serveRpc` is what services call; `listenForRpc` opens the port.
 */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { ApiError, toConnectError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ServiceProcess } from '../process.ts'
import { MESSAGE_LIMIT_BYTES, type RpcServerOptions } from './rpc.ts'
import { SECRET_HEADER } from './secret-header.ts'
import { traceServer } from './tracing.ts'

/** Clients spread over new replicas only when they reconnect, so no session lives on for ever: 5 min, ± 10 % against herds. */
const SESSION_AGE_MS = 5 * 60_000

/** Serves the RPCs of a service until the process stops. */
export function serveRpc(service: ServiceProcess, options: RpcServerOptions): Promise<void> {
  return service.rpc.serve(service, options)
}

/** Listens until the process stops; calls that are under way are then finished before sessions close. */
export async function listenForRpc(service: ServiceProcess, options: RpcServerOptions): Promise<void> {
  const { listen, routes, ready } = options
  const handler = connectNodeAdapter({
    readMaxBytes: MESSAGE_LIMIT_BYTES,
    shutdownSignal: service.stopping,
    interceptors: [traceServer, answerErrors(service.log), requireSecret(options.secret)],
    routes(router) {
      routes(router)
      router.service(Health, { check: () => checkHealth(service.stopping, ready) })
    },
  })
  const server = createServer(handler)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    const age = setTimeout(() => session.close(), SESSION_AGE_MS * (0.9 + Math.random() * 0.2)).unref()
    session.once('close', () => {
      clearTimeout(age)
      sessions.delete(session)
    })
    session.on('error', (error) => service.log.debug({ err: error }, 'RPC session failed'))
  })
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  service.onStop('RPC server', async () => {
    const closed = once(server, 'close')
    server.close()
    for (const session of sessions) session.close()
    await closed
  })
}

export async function checkHealth(stopping: AbortSignal, ready: () => Promise<unknown>) {
  const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus
  if (stopping.aborted) return { status: NOT_SERVING }
  return {
    status: await ready().then(
      () => SERVING,
      () => NOT_SERVING,
    ),
  }
}

/** Probes carry no secret, and learn nothing but the health. */
function requireSecret(secret: string): Interceptor {
  const expected = Buffer.from(secret)
  return (next) => (request) => {
    const given = Buffer.from(request.header.get(SECRET_HEADER) ?? '')
    const known = given.length === expected.length && timingSafeEqual(given, expected)
    if (!known && request.service.typeName !== Health.typeName)
      throw new ConnectError(
        'This caller does not belong to the installation: check PLATEN_RPC_SECRET.',
        Code.PermissionDenied,
      )
    return next(request)
  }
}

/**
 * An `ApiError` goes out with its code, and what is behind it is logged here when it is not the caller's doing; anything else is a
 * defect, which is logged here and not described to the caller.
 */
export function answerErrors(log: Logger): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status >= 500) log.warn({ err: error.cause ?? error, method: request.method.name }, 'call not served')
        throw toConnectError(error)
      }
      if (error instanceof ConnectError) throw error
      log.error({ err: error, method: request.method.name }, 'call failed')
      throw new ConnectError('internal error', Code.Internal)
    }
  }
}
