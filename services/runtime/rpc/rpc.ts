/** Transport of calls between services: over the network (`network.ts`) or within one process (`local.ts`). */
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import type { ListenAddress } from '../config.ts'
import type { ServiceProcess } from '../process.ts'
import type { RpcCallers } from './callers.ts'
import type { RpcRouter } from './calls.ts'

export interface RpcServerOptions {
  listen: ListenAddress
  callers: RpcCallers
  routes: (router: RpcRouter) => void
}

export interface RpcClientOptions {
  /** `http://jobs-headless:8081`. Each address of the name is a replica. */
  url: string
  /** The key of the calling service. */
  key: string
}

export interface Rpc {
  /** Serves until the process stops, and then finishes running calls. */
  serve(service: ServiceProcess, options: RpcServerOptions): Promise<void>
  /** @returns a transport for unary calls, closed when the process stops. */
  connect(service: ServiceProcess, target: DescService, options: RpcClientOptions): Transport
}

/** Default timeout of a call. Shorter than the timeouts of API clients, which wait for the call. */
export const DEADLINE_MS = 5_000

/** Timeout of a call of an operator. Longer than between services, because the installation may be starting. */
export const OPERATOR_DEADLINE_MS = 10_000

/** Requests contain ids and small records, never whole documents above 64 KiB. */
export const REQUEST_LIMIT_BYTES = 1024 * 1024

/** A page contains up to 100 printers or events with texts and capabilities of any length that agents report. */
export const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024
