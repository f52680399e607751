/** The gRPC client: one channel, and with it one TCP connection, for the life of a stream. */
import { type ClientDuplexStream, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js'
import {
  AgentService,
  type ConnectRequest,
  type ConnectResponse,
  type DownloadDocumentRequest,
  type DownloadDocumentResponse,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { grpcClientConstructor } from '@platen/proto/grpc.ts'
import type { AgentConfig } from '../config.ts'
import { proxyFor } from '../network/proxy.ts'
import { getTrustContext } from '../network/trust.ts'

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
 * A new connection each time (`grpc.use_local_subchannel_pool`): grpc-js would otherwise take up the old one again, which may
 * be dead without knowing it. Which proxy there is, if any, is decided by `proxyFor` and not by grpc-js.
 *
 * @throws ConfigError when the certificates to trust cannot be read; Error when the environment names what is no proxy.
 */
export function openClient({
  agentUrl,
  caFile,
  proxy,
}: Pick<AgentConfig, 'agentUrl' | 'caFile' | 'proxy'>): AgentClient {
  const url = new URL(agentUrl)
  const secure = url.protocol === 'https:'
  const target = `${url.hostname}:${url.port || (secure ? 443 : 80)}`
  const through = proxyFor(url, proxy)
  const client = new AgentClientOnGrpc(
    through ? `dns:${through.hostname}:${through.port || 80}` : target,
    secure ? credentials.createFromSecureContext(getTrustContext(caFile)) : credentials.createInsecure(),
    {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 10_000,
      'grpc.enable_http_proxy': 0,
      ...(through && tunnelTo(target, through)),
    },
  )
  return client as unknown as AgentClient
}

/** What grpc-js itself sets when it takes a proxy from the environment. */
function tunnelTo(target: string, { username, password }: URL): Record<string, string> {
  return {
    'grpc.http_connect_target': `dns:${target}`,
    'grpc.default_authority': target,
    ...(username && { 'grpc.http_connect_creds': `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
  }
}

/** What each call authenticates itself with. */
export function authorization(credential: string): Metadata {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  return metadata
}
