/** Typed clients of other services with deadline, key, trace and errors. */
import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { fromConnectError } from '../errors.ts'
import type { ServiceProcess } from '../process.ts'
import type { RpcClientOptions } from './rpc.ts'

/** Creates a client that is closed when the process stops. */
export function connectRpc<Service extends DescService>(
  service: ServiceProcess,
  target: Service,
  options: RpcClientOptions,
): Client<Service> {
  service.diagnostics.addSecret(`PLATEN_RPC_KEY of ${service.name}`, [Buffer.from(options.key)])
  return createRpcClient(target, service.rpc.connect(service, target, options))
}

/** Calls throw the `ApiError` of the other service, or `service_unavailable` if no replica answers in time. */
export function createRpcClient<Service extends DescService>(target: Service, transport: Transport): Client<Service> {
  return createClient(target, {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(fromConnectError(error))),
  })
}
