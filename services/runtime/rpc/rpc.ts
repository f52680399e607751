/** How calls between services travel: over the network (`network.ts`), or within one process (`local.ts`). */
import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter, Transport } from '@connectrpc/connect'
import type { ListenAddress } from '../config.ts'
import type { ServiceProcess } from '../process.ts'

export interface RpcServerOptions {
  listen: ListenAddress
  secret: string
  routes: (router: ConnectRouter) => void
  /** Readiness, as probes see it: throws while a dependency is missing. */
  ready: () => Promise<unknown>
}

export interface RpcClientOptions {
  /** `http://jobs-headless:8081`; a name with several addresses is several replicas. */
  url: string
  secret: string
}

export interface Rpc {
  /** Serves until the process stops; calls that are under way are then finished. */
  serve(service: ServiceProcess, options: RpcServerOptions): Promise<void>
  /** @returns a transport for unary calls, closed with the process. */
  connect(service: ServiceProcess, target: DescService, options: RpcClientOptions): Transport
}

/** A call that takes longer is not going to succeed; the caller's own caller still waits. */
export const DEADLINE_MS = 5_000

/** Messages are ids and small records; documents never travel this way. */
export const MESSAGE_LIMIT_BYTES = 1024 * 1024
