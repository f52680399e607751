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
 * be dead without knowing it.
 *
 * @param agentUrl `https://…`, or `http://…` on one machine and in private networks.
 */
export function openClient(agentUrl: string): AgentClient {
  const { protocol, hostname, port } = new URL(agentUrl)
  const secure = protocol === 'https:'
  const client = new AgentClientOnGrpc(
    `${hostname}:${port || (secure ? 443 : 80)}`,
    secure ? credentials.createSsl() : credentials.createInsecure(),
    {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 10_000,
    },
  )
  return client as unknown as AgentClient
}

/** What each call authenticates itself with. */
export function authorization(credential: string): Metadata {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  return metadata
}
