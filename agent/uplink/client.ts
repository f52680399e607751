/** The gRPC client: one channel with one TCP connection per stream. */
import { type ClientDuplexStream, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js'
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
import { getTrustContext } from '../transport/trust.ts'

export interface AgentClient {
  connect(metadata: Metadata): ClientDuplexStream<ConnectRequest, ConnectResponse>
  downloadDocument(
    request: DownloadDocumentRequest,
    metadata: Metadata,
    options: { deadline: Date },
  ): ClientReadableStream<DownloadDocumentResponse>
  close(): void
}

const AgentClientOnGrpc = grpcClientConstructor(AgentService)

/**
 * Always opens a new connection (`grpc.use_local_subchannel_pool`), because grpc-js would otherwise reuse the old one, which may be
 * dead. The proxy is selected by `selectProxy`, not by grpc-js.
 *
 * @throws ConfigError if `caFile` is not usable; Error if the environment has an invalid proxy.
 */
export function openClient({
  agentUrl,
  caFile,
  proxy,
}: Pick<AgentConfig, 'agentUrl' | 'caFile' | 'proxy'>): AgentClient {
  const url = new URL(agentUrl)
  const secure = url.protocol === 'https:'
  const target = `${url.hostname}:${url.port || (secure ? 443 : 80)}`
  const proxyUrl = selectProxy(url, proxy)
  const client = new AgentClientOnGrpc(
    proxyUrl ? `dns:${proxyUrl.hostname}:${proxyUrl.port || 80}` : target,
    secure ? credentials.createFromSecureContext(getTrustContext(caFile)) : credentials.createInsecure(),
    {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      ...AGENT_KEEPALIVE,
      'grpc.enable_http_proxy': 0,
      ...(proxyUrl && createTunnelOptions(target, proxyUrl)),
    },
  )
  return client as unknown as AgentClient
}

/** The options that grpc-js sets for a proxy from the environment. */
function createTunnelOptions(target: string, { username, password }: URL): Record<string, string> {
  return {
    'grpc.http_connect_target': `dns:${target}`,
    'grpc.default_authority': target,
    ...(username && { 'grpc.http_connect_creds': `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
  }
}

/** Metadata that authenticates a call. */
export function authorization(credential: string): Metadata {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  return metadata
}
