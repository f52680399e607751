/** The gRPC client: one channel with one TCP connection per stream. */
import { type ClientDuplexStream, type ClientReadableStream, Metadata } from '@grpc/grpc-js'
import {
  AgentService,
  type ConnectRequest,
  type ConnectResponse,
  type DownloadDocumentRequest,
  type DownloadDocumentResponse,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AGENT_KEEPALIVE, grpcClientConstructor } from '@platen/proto/grpc.ts'
import type { AgentConfig } from '../config.ts'
import { selectProxy } from '../transport/proxy.ts'
import { toAuthority } from '../transport/tunnel.ts'
import { RouteCredentials } from './route-credentials.ts'

export interface AgentClient {
  connect(metadata: Metadata): ClientDuplexStream<ConnectRequest, ConnectResponse>
  downloadDocument(
    request: DownloadDocumentRequest,
    metadata: Metadata,
    options: { deadline: Date },
  ): ClientReadableStream<DownloadDocumentResponse>
  /** Why a call has failed. See `RouteCredentials.toCause`. */
  toCause(error: unknown, isLate?: boolean): unknown
  close(): void
}

const AgentClientOnGrpc = grpcClientConstructor(AgentService)

/**
 * Always opens a new connection (`grpc.use_local_subchannel_pool`), because grpc-js would otherwise reuse the old one,
 * which may be dead. The proxy is selected by `selectProxy`, not by grpc-js.
 *
 * @throws ConfigError if `caFile` is not usable; Error if the environment has an invalid proxy.
 */
export function openClient(config: Pick<AgentConfig, 'agentUrl' | 'caFile' | 'proxy'>): AgentClient {
  const url = new URL(config.agentUrl)
  const proxy = selectProxy(url, config.proxy)
  const route = new RouteCredentials(url, proxy, config)
  const client = new AgentClientOnGrpc(`dns:${toAuthority(proxy ?? url)}`, route, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    ...AGENT_KEEPALIVE,
    'grpc.enable_http_proxy': 0,
    'grpc.default_authority': toAuthority(url),
  }) as unknown as Omit<AgentClient, 'toCause'>
  return {
    connect: (metadata) => client.connect(metadata),
    downloadDocument: (request, metadata, options) => client.downloadDocument(request, metadata, options),
    toCause: (error, isLate) => route.toCause(error, isLate),
    close() {
      route.close()
      client.close()
    },
  }
}

/** Metadata that authenticates a call. */
export function authorization(credential: string): Metadata {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  return metadata
}
