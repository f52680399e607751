/** How calls between services travel: over the network (`network.ts`), or within one process (`local.ts`). */
import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import type { ListenAddress } from '../config.ts'
import type { ServiceProcess } from '../process.ts'
import type { RpcRouter } from './calls.ts'

export interface RpcServerOptions {
  listen: ListenAddress
  secret: string
  routes: (router: RpcRouter) => void
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

/** Requests are ids and small records; documents never travel this way. */
export const REQUEST_LIMIT_BYTES = 1024 * 1024

/** A page has 100 printers or events, each with texts and capabilities as long as their agents report them. */
export const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024
