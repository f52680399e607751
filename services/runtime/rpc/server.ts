/**
 * The gRPC server of a service, without TLS, for loopback or the network of a cluster. Each call contains the key of
 * its caller. Services call `serveRpc`; `listenForRpc` opens the port.
 */
import { promisify } from 'node:util'
import type { Message } from '@bufbuild/protobuf'
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js'
import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { grpcServiceDefinition } from '@platen/proto/grpc.ts'
import type { ListenAddress } from '../config.ts'
import { ApiError, toConnectError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ServiceProcess } from '../process.ts'
import type { Readiness } from '../readiness.ts'
import { identifyCaller, requireCaller } from './callers.ts'
import { createHandlers, type Handler } from './calls.ts'
import { serveInTurn } from './in-turn.ts'
import { toHeaders, toMetadata } from './metadata.ts'
import { REQUEST_LIMIT_BYTES, type RpcServerOptions } from './rpc.ts'
import { traceServer } from './tracing.ts'

/** Serves the RPCs of a service until the process stops, to services and, on the operations port, to operators. */
export function serveRpc(service: ServiceProcess, options: RpcServerOptions): Promise<void> {
  const [first, ...more] = options.callers.map(({ name, digest }) => Buffer.concat([Buffer.from(name), digest]))
  if (first) service.diagnostics.addSecret('PLATEN_RPC_CALLERS', [first, ...more])
  service.operatorCalls.add(service, options.routes)
  return service.rpc.serve(service, options)
}

/** Listens until the process stops, and then finishes running calls before connections close. */
export async function listenForRpc(service: ServiceProcess, options: RpcServerOptions): Promise<void> {
  const { listen, callers, routes } = options
  const handlers = createHandlers(
    (router) => {
      routes(router)
      router.service(Health, { check: () => checkHealth(service.readiness) })
    },
    [
      traceServer,
      answerErrors(service.log),
      requireCaller((request) => identifyCaller(callers, request)),
      serveInTurn(),
    ],
    service.stopping,
  )
  const server = new Server({
    'grpc.max_receive_message_length': REQUEST_LIMIT_BYTES,
    'grpc.enable_channelz': 0,
  })
  for (const [target, methods] of handlers) {
    const implementation = Object.entries(methods).map(([name, handle]) => [name, toGrpc(handle)])
    server.addService(grpcServiceDefinition(target), Object.fromEntries(implementation))
  }
  await promisify(server.bindAsync.bind(server))(toTarget(listen), ServerCredentials.createInsecure())
  service.onStop('RPC server', promisify(server.tryShutdown.bind(server)))
}

/** An address as grpc-js writes it. */
export const toTarget = ({ host, port }: ListenAddress) => `${host.includes(':') ? `[${host}]` : host}:${port}`

function toGrpc(handle: Handler): handleUnaryCall<Message, Message> {
  return (call, callback) => {
    const getSignal = () => {
      const gone = new AbortController()
      call.once('cancelled', () => gone.abort())
      if (call.cancelled) gone.abort()
      return gone.signal
    }
    handle(call.request, toHeaders(call.metadata), getSignal).then(
      (answer) => callback(null, answer),
      (error: unknown) => {
        const { code, rawMessage, metadata } = ConnectError.from(error)
        const status: number = code // the same numbers
        // grpc-js cannot send half of a surrogate pair.
        callback({ code: status, details: rawMessage.toWellFormed(), metadata: toMetadata(metadata) })
      },
    )
  }
}

export async function checkHealth({ check }: Pick<Readiness, 'check'>) {
  const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus
  return {
    status: await check().then(
      () => SERVING,
      () => NOT_SERVING,
    ),
  }
}

/**
 * Sends an `ApiError` with its code, and logs its cause if the status is 500 or greater. Logs any other error as a
 * defect and sends only `internal error`.
 */
export function answerErrors(log: Logger): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status >= 500) log.warn({ err: error.cause ?? error, method: request.method.name }, 'call failed')
        throw toConnectError(error)
      }
      if (error instanceof ConnectError) throw error
      log.error({ err: error, method: request.method.name }, 'unexpected error in call')
      throw new ConnectError('internal error', Code.Internal)
    }
  }
}
