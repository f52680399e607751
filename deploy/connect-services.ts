/** RPC clients for an installation on this machine, for its launcher and the commands of its operator. */
import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { createRpcClient } from '@platen/runtime/rpc/client.ts'
import { createGrpcTransport } from '@platen/runtime/rpc/grpc-transport.ts'
import { rpcUrl } from './services.ts'

/** Longer than between services, because the installation may be starting. */
const DEADLINE_MS = 10_000

export interface ServiceConnections {
  /** Its calls throw `ApiError`, with `service_unavailable` if the service does not respond. */
  client<Service extends DescService>(service: Service): Client<Service>
  close(): void
}

/** @param port of `platen all`. */
export function connectServices(secret: string, port: number): ServiceConnections {
  const opened: (() => void)[] = []
  return {
    client(service) {
      const { transport, close } = createGrpcTransport(service, { url: rpcUrl(port), secret }, DEADLINE_MS)
      opened.push(close)
      return createRpcClient(service, transport)
    },
    close() {
      for (const close of opened) close()
    },
  }
}
