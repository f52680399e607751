/**
 * Calls between services that run in one process: the same messages, errors, deadlines and limits as over the network, without a
 * connection. Used by `platen all` and by the tests.
 */
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect'
import { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import type { ServiceProcess } from '../process.ts'
import { DEADLINE_MS, MESSAGE_LIMIT_BYTES, type Rpc, type RpcServerOptions } from './rpc.ts'
import { answerErrors, checkHealth, listenForRpc } from './server.ts'
import { traceClient, traceServer } from './tracing.ts'

export interface LocalRpc extends Rpc {
  /** Serves what was registered until now to other processes too, on one port. */
  listen(service: ServiceProcess, options: Pick<RpcServerOptions, 'listen' | 'secret'>): Promise<void>
}

/** @param interceptors around each call, on the caller's side. */
export function createLocalRpc(interceptors: Interceptor[] = []): LocalRpc {
  const served: RpcServerOptions[] = []
  /** By the full name of the RPC service. */
  const transports = new Map<string, Transport>()
  const ready = () => Promise.all(served.map((one) => one.ready()))

  function register(service: ServiceProcess, routes: (router: ConnectRouter) => void): void {
    const names = new Set<string>()
    const transport = createRouterTransport(
      (router) => {
        routes(router)
        for (const handler of router.handlers) names.add(handler.service.typeName)
      },
      {
        router: {
          readMaxBytes: MESSAGE_LIMIT_BYTES,
          shutdownSignal: service.stopping,
          interceptors: [traceServer, answerErrors(service.log)],
        },
        transport: { defaultTimeoutMs: DEADLINE_MS, interceptors: [traceClient, ...interceptors] },
      },
    )
    for (const name of names) transports.set(name, transport)
  }

  return {
    async serve(service, options) {
      if (served.length === 0)
        register(service, (router) => router.service(Health, { check: () => checkHealth(service.stopping, ready) }))
      served.push(options)
      register(service, options.routes)
    },

    connect: () => ({
      async unary(method, ...call) {
        const transport = transports.get(method.parent.typeName)
        if (!transport) throw new ConnectError(`${method.parent.typeName} has not started yet`, Code.Unavailable)
        return await transport.unary(method, ...call)
      },
      stream: () => Promise.reject(new ConnectError('streams are not served', Code.Unimplemented)),
    }),

    async listen(service, { listen, secret }) {
      const routes = (router: ConnectRouter) => {
        for (const one of served) one.routes(router)
      }
      await listenForRpc(service, { listen, secret, routes, ready })
    },
  }
}
