/** Clients of the services for the launcher and the commands of operators. */
import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { createRpcClient } from '@platen/runtime/rpc/client.ts'
import { createOperatorTransport } from '@platen/runtime/rpc/operator-transport.ts'

export interface ServiceAddresses {
  secret: string
  /** The URL of its operations port. @param service for example `jobs`. */
  getUrl: (service: string) => string
}

/** Its calls throw `ApiError`, with `service_unavailable` if the service does not respond. */
export type Connect = <Service extends DescService>(service: Service) => Client<Service>

export function connectServices({ secret, getUrl }: ServiceAddresses): Connect {
  return (service) => {
    // `platen.jobs.v1.JobsService`
    const [, name = ''] = service.typeName.split('.')
    return createRpcClient(service, createOperatorTransport({ url: getUrl(name), secret }))
  }
}
