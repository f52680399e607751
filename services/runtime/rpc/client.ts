/** A typed client for another service: deadline, secret, trace and errors on each call, spread over the service's replicas. */
import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { fromConnectError } from '../errors.ts'
import type { ServiceProcess } from '../process.ts'
import { createBalancedTransport } from './balanced-transport.ts'
import { SECRET_HEADER } from './secret-header.ts'
import { traceClient } from './tracing.ts'

/** A call that takes longer is not going to succeed; the caller's own caller still waits. */
const DEADLINE_MS = 5_000

export interface RpcClientOptions {
  /** `http://jobs-headless:8081`; a name with several addresses is several replicas. */
  url: string
  secret: string
}

/** Calls throw `ApiError` for what the other service refused and `service_unavailable` when no replica answers in time. */
export function connectRpc<Service extends DescService>(
  service: ServiceProcess,
  target: Service,
  options: RpcClientOptions,
): Client<Service> {
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set(SECRET_HEADER, options.secret)
    return next(request)
  }
  const { transport, close } = createBalancedTransport({
    baseUrl: options.url,
    defaultTimeoutMs: DEADLINE_MS,
    interceptors: [traceClient, authenticate],
  })
  service.onStop(`client of ${target.typeName}`, close)
  return createClient(target, {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(fromConnectError(error))),
  })
}
