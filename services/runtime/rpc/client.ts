/** A typed client for another service: deadline, secret, trace and errors on each call. */
import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { fromConnectError } from '../errors.ts'
import type { ServiceProcess } from '../process.ts'
import type { RpcClientOptions } from './rpc.ts'

/** The client of a service, closed with the process. */
export function connectRpc<Service extends DescService>(
  service: ServiceProcess,
  target: Service,
  options: RpcClientOptions,
): Client<Service> {
  return createRpcClient(target, service.rpc.connect(service, target, options))
}

/** Calls throw `ApiError` for what the other service refused and `service_unavailable` when no replica answers in time. */
export function createRpcClient<Service extends DescService>(target: Service, transport: Transport): Client<Service> {
  return createClient(target, {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(fromConnectError(error))),
  })
}
