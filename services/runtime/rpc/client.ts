/** A typed client for another service: deadline, secret, trace and errors on each call. */
import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient } from '@connectrpc/connect'
import { fromConnectError } from '../errors.ts'
import type { ServiceProcess } from '../process.ts'
import type { RpcClientOptions } from './rpc.ts'

/** Calls throw `ApiError` for what the other service refused and `service_unavailable` when no replica answers in time. */
export function connectRpc<Service extends DescService>(
  service: ServiceProcess,
  target: Service,
  options: RpcClientOptions,
): Client<Service> {
  const transport = service.rpc.connect(service, target, options)
  return createClient(target, {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(fromConnectError(error))),
  })
}
