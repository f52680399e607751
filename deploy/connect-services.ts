/** Calls to the services of an installation on this machine, for its launcher and its operator. */
import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node'
import { fromConnectError } from '@platen/runtime/errors.ts'
import { SECRET_HEADER } from '@platen/runtime/rpc/secret-header.ts'
import { rpcUrl } from './services.ts'

const DEADLINE_MS = 10_000

export interface ServiceConnections {
  /** Its calls throw `ApiError` for what the service refused, and `service_unavailable` when it does not answer. */
  client<Service extends DescService>(service: Service): Client<Service>
  close(): void
}

/** @param port of `platen all`. */
export function connectServices(rpcSecret: string, port: number): ServiceConnections {
  const sessionManager = new Http2SessionManager(rpcUrl(port))
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set(SECRET_HEADER, rpcSecret)
    return next(request)
  }
  const transport = createConnectTransport({
    httpVersion: '2',
    baseUrl: sessionManager.authority,
    sessionManager,
    interceptors: [authenticate],
    defaultTimeoutMs: DEADLINE_MS,
  })
  return {
    client: (service) =>
      createClient(service, {
        ...transport,
        unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(fromConnectError(error))),
      }),
    close: () => sessionManager.abort(),
  }
}
