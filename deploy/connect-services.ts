/** RPC clients for the launcher and the commands of operators. */
import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import type { Keyring } from '@platen/runtime/keyring.ts'
import { createRpcClient } from '@platen/runtime/rpc/client.ts'
import { createGrpcTransport } from '@platen/runtime/rpc/grpc-transport.ts'

/** Longer than between services, because the installation may be starting. */
const DEADLINE_MS = 10_000

export interface ServiceAddresses {
  secret: Keyring
  /** @param service for example `jobs`. */
  getUrl: (service: string) => string
}

/** @returns a client with a connection of its own. Its calls throw `ApiError`, with `service_unavailable` if the service does not respond. */
export type Connect = <Service extends DescService>(service: Service) => Client<Service>

export interface ServiceConnections {
  client: Connect
  close(): void
}

export function connectServices({ secret, getUrl }: ServiceAddresses): ServiceConnections {
  const opened: (() => void)[] = []
  return {
    client(service) {
      // `platen.jobs.v1.JobsService`
      const [, name = ''] = service.typeName.split('.')
      const { transport, close } = createGrpcTransport(service, { url: getUrl(name), secret }, DEADLINE_MS)
      opened.push(close)
      return createRpcClient(service, transport)
    },
    close() {
      for (const close of opened) close()
    },
  }
}
