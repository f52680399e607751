/** Calls between services in separate processes: gRPC, balanced over the replicas. */
import { createGrpcTransport } from './grpc-transport.ts'
import type { Rpc } from './rpc.ts'
import { listenForRpc } from './server.ts'

export const networkRpc: Rpc = {
  serve: listenForRpc,
  connect(service, target, options) {
    const { transport, close } = createGrpcTransport(target, options)
    service.onStop(`client of ${target.typeName}`, close)
    return transport
  },
}
