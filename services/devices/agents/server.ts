/**
 * Serves the agents by grpc-js, whose streams need 34 to 38 KB each. It gets connections that `limitConnections` has
 * accepted.
 */
import { once } from 'node:events'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { fromBinary } from '@bufbuild/protobuf'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import { MESSAGE_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { AgentService, ConnectRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AGENT_KEEPALIVE, grpcServiceDefinition } from '@platen/proto/grpc.ts'
import { AGENT_PORT_LIMITS } from '@platen/resources/limits.ts'
import type { ListenAddress } from '@platen/runtime/config.ts'
import type { Network } from '@platen/runtime/fetch/public-address.ts'
import { limitConnections } from '@platen/runtime/limit-connections.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { toTarget } from '@platen/runtime/rpc/server.ts'
import { withTimeout } from '@platen/runtime/timers.ts'
import { type TlsFiles, warnAboutCleartext } from '@platen/runtime/tls.ts'
import type { Devices } from '../devices.ts'
import { connect } from './connect.ts'
import type { AgentStream, SizedRequest } from './connection.ts'
import { downloadDocument } from './download-document.ts'
import { toReconnectDelays } from './reconnect-delays.ts'
import { openTlsCredentials } from './tls-credentials.ts'

/** Until the reset of an ended call. */
const ENDED_MS = 1_000

/** Remaining calls are then closed. */
const DRAIN_TIMEOUT_MS = 3_000

export interface AgentListeners {
  listen: ListenAddress
  /** The certificate of `listen`. */
  tls: TlsFiles | undefined
  /** A second address without TLS. */
  plainListen?: ListenAddress
  /** The connections of `listen`, before their hello. */
  connectionsPerAddress: number
  trustedProxies: readonly Network[]
}

export async function serveAgents(
  service: ServiceProcess,
  devices: Devices,
  { listen, tls, plainListen, connectionsPerAddress, trustedProxies }: AgentListeners,
): Promise<void> {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_MAX_BYTES,
    ...AGENT_KEEPALIVE,
    'grpc.max_concurrent_streams': AGENT_PORT_LIMITS.callsMax,
    'grpc.max_connection_idle_ms': AGENT_PORT_LIMITS.idleMs,
    interceptors: [refuseCompression, resetEnded],
  })
  const insecure = ServerCredentials.createInsecure()
  const injector = server.createConnectionInjector(tls ? await openTlsCredentials(service, tls) : insecure)
  const listener = createServer({ noDelay: true }, (socket) => injector.injectConnection(socket))
  const limits = { max: AGENT_PORT_LIMITS.connectionsMax, perAddress: connectionsPerAddress, trustedProxies }
  const limited = limitConnections(listener, limits, devices.limitExceeded)
  server.addService(withSizes(grpcServiceDefinition(AgentService)), {
    connect: (stream: AgentStream) => void connect(devices, stream, () => limited.exempt(stream.getPeer())),
    downloadDocument: (call: Parameters<typeof downloadDocument>[1]) => void downloadDocument(devices, call),
  })
  warnAboutCleartext(service.log, listen.host, tls)
  listener.listen(listen.port, listen.host)
  await once(listener, 'listening')
  if (plainListen) await promisify(server.bindAsync.bind(server))(toTarget(plainListen), insecure)
  service.onStop('agents', async () => {
    listener.close()
    const connections = devices.connections.all()
    const delays = toReconnectDelays(connections.length, service.drainMs)
    for (const [n, connection] of connections.entries()) connection.reconnect('stopping', delays[n] ?? 0)
    const drained = promisify(server.tryShutdown.bind(server))()
    await withTimeout(DRAIN_TIMEOUT_MS, drained)
    server.forceShutdown()
  })
}

/** Messages of streams are read with their sizes. */
function withSizes({ connect: definition, ...others }: ServiceDefinition): ServiceDefinition {
  const requestDeserialize = (bytes: Buffer): SizedRequest => ({
    request: fromBinary(ConnectRequestSchema, bytes),
    bytes: bytes.length,
  })
  return { ...others, ...(definition && { connect: { ...definition, requestDeserialize } }) }
}

/**
 * A compressed message of 1 KB can be one of 1 MB, and grpc-js decompresses it before the agent is authenticated.
 * Agents do not compress. grpc-js has no option for it and removes the header from the metadata.
 */
const refuseCompression: ServerInterceptor = (_method, call) => {
  const { incomingEncoding = 'identity' } = call as unknown as { incomingEncoding?: string }
  if (incomingEncoding !== 'identity')
    call.sendStatus({ code: status.UNIMPLEMENTED, details: 'Compression is not supported.', metadata: new Metadata() })
  return call as ServerInterceptingCall
}

/**
 * Stops to read a call that has ended, and resets it. Without this, HTTP/2 would read and discard what its client still
 * sends, as fast as it arrives, and grpc-js has no option for it. Reference:
 * https://www.rfc-editor.org/rfc/rfc9113#section-8.1-10
 */
const resetEnded: ServerInterceptor = (_method, call) => {
  const { stream } = call as unknown as { stream: ServerHttp2Stream }
  stream.once('finish', () => {
    // grpc-js resumes the stream after this event.
    setImmediate(() => stream.pause())
    // A client that reads has the status by then.
    const reset = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), ENDED_MS).unref()
    stream.once('close', () => clearTimeout(reset))
  })
  return call as ServerInterceptingCall
}
