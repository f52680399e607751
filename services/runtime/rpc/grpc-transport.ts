/** The gRPC client: grpc-js resolves the replicas of a service, balances calls over them and ejects failing ones. */
import type { DescService, Message } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { grpcServiceDefinition } from '@platen/proto/grpc.ts'
import { createTransport } from './calls.ts'
import { SECRET_HEADER, toHeaders, toMetadata } from './metadata.ts'
import { ANSWER_LIMIT_BYTES, DEADLINE_MS, type RpcClientOptions } from './rpc.ts'
import { traceClient } from './tracing.ts'

/** Interval of DNS queries, within which a removed replica is replaced. */
const RESOLVE_EVERY_MS = 5_000

/** Their sum is the deadline of a call, so a dead replica fails the running calls, and later ones use other replicas. */
const PING_AFTER_MS = 2_000
const PING_TIMEOUT_MS = DEADLINE_MS - PING_AFTER_MS

const RECONNECT_MS = { min: 100, max: 1_000 }

/** Ejects a replica that fails all calls (for example without its database) while another replica serves them. */
const OUTLIER_DETECTION = {
  interval: { seconds: 1, nanos: 0 },
  base_ejection_time: { seconds: 5, nanos: 0 },
  max_ejection_time: { seconds: 30, nanos: 0 },
  max_ejection_percent: 50,
  failure_percentage_ejection: { threshold: 90, enforcement_percentage: 100, minimum_hosts: 2, request_volume: 5 },
  child_policy: [{ round_robin: {} }],
}

/**
 * @param timeoutMs default for calls without a timeout.
 * @returns a transport for unary calls, which fail with a ConnectError.
 */
export function createGrpcTransport(
  target: DescService,
  { url, secret }: RpcClientOptions,
  timeoutMs = DEADLINE_MS,
): { transport: Transport; close(): void } {
  const { hostname, port } = new URL(url)
  const client = new Client(`dns:///${hostname}:${port || 80}`, credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify(serviceConfig(target)),
    'grpc.service_config_disable_resolution': 1,
    'grpc.dns_min_time_between_resolutions_ms': RESOLVE_EVERY_MS,
    'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.min,
    'grpc.max_reconnect_backoff_ms': RECONNECT_MS.max,
    'grpc.keepalive_time_ms': PING_AFTER_MS,
    'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
    'grpc.max_receive_message_length': ANSWER_LIMIT_BYTES,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_channelz': 0,
  })
  const [firstSecret] = secret
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set(SECRET_HEADER, firstSecret.toString())
    return next(request)
  }
  const methods = grpcServiceDefinition(target)
  const transport = createTransport([traceClient, authenticate], timeoutMs, async (request, timeoutMs) => {
    const { method, message, header, signal } = request
    const definition = methods[method.localName]
    if (!definition) throw new TypeError(`${target.typeName} has no method ${method.name}`)
    const { path, requestSerialize, responseDeserialize } = definition
    const options = { deadline: Date.now() + timeoutMs }
    return await new Promise<Message>((resolve, reject) => {
      const settle = (error: ServiceError | null, answer?: Message) => {
        signal.removeEventListener('abort', cancel)
        if (answer) resolve(answer)
        else reject(toConnectError(error))
      }
      const metadata = toMetadata(header)
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        message,
        metadata,
        options,
        settle,
      )
      const cancel = () => call.cancel()
      signal.addEventListener('abort', cancel)
      if (signal.aborted) cancel()
    })
  })
  return { transport, close: () => client.close() }
}

/** grpc-js retries a call that no replica received. A call that a replica received is retried only if its method is idempotent. */
function serviceConfig({ typeName, methods }: DescService) {
  const idempotent = methods.filter(
    ({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN,
  )
  return {
    loadBalancingConfig: [{ outlier_detection: OUTLIER_DETECTION }],
    methodConfig: [
      {
        name: idempotent.map(({ name }) => ({ service: typeName, method: name })),
        retryPolicy: {
          maxAttempts: 2,
          initialBackoff: '0.01s',
          maxBackoff: '0.01s',
          backoffMultiplier: 1,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }
}

function toConnectError(error: ServiceError | null): ConnectError {
  if (!error) throw new TypeError('grpc-js reported neither an answer nor an error')
  const code: number = error.code // the same numbers
  return new ConnectError(error.details, code, toHeaders(error.metadata))
}
