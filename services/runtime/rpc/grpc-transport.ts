/** The gRPC client: grpc-js resolves the replicas of a service, balances calls over them and ejects failing ones. */
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { grpcServiceDefinition } from '@platen/proto/grpc.ts'
import { retry } from '../retry.ts'
import { createTransport } from './calls.ts'
import { KEY_HEADER, toHeaders, toMetadata } from './metadata.ts'
import { toReplicas } from './replica-resolver.ts'
import { ANSWER_LIMIT_BYTES, DEADLINE_MS, type RpcClientOptions } from './rpc.ts'
import { traceClient } from './tracing.ts'

/** Between DNS queries after connections ended. */
const RESOLVE_AGAIN_MS = 1_000

/**
 * Their sum is the deadline of a call, so a dead replica fails the running calls, and later ones use other replicas.
 */
const PING_AFTER_MS = 2_000
const PING_TIMEOUT_MS = DEADLINE_MS - PING_AFTER_MS

const RECONNECT_MS = { min: 100, max: 1_000 }

/** Before the second attempt of a call. By then the client has removed a replica whose connection ended. */
const REPEAT_AFTER_MS = 100

/**
 * Ejects a replica that fails all calls (for example without its database) while another replica serves them. Short at
 * first, because the calls that the end of a replica cuts also count, and its replacement serves calls a second later.
 * Each further ejection is longer.
 */
const OUTLIER_DETECTION = {
  interval: { seconds: 1, nanos: 0 },
  base_ejection_time: { seconds: 1, nanos: 0 },
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
  { url, key }: RpcClientOptions,
  timeoutMs = DEADLINE_MS,
): { transport: Transport; close(): void } {
  const { hostname, port } = new URL(url)
  const client = new Client(toReplicas(hostname, port || '80'), credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ outlier_detection: OUTLIER_DETECTION }] }),
    'grpc.service_config_disable_resolution': 1,
    'grpc.dns_min_time_between_resolutions_ms': RESOLVE_AGAIN_MS,
    'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.min,
    'grpc.max_reconnect_backoff_ms': RECONNECT_MS.max,
    'grpc.keepalive_time_ms': PING_AFTER_MS,
    'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
    'grpc.max_receive_message_length': ANSWER_LIMIT_BYTES,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_channelz': 0,
  })
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set(KEY_HEADER, key)
    return next(request)
  }
  const methods = grpcServiceDefinition(target)
  const transport = createTransport([traceClient, authenticate], timeoutMs, async (request, timeoutMs) => {
    const { method, message, header, signal } = request
    const definition = methods[method.localName]
    if (!definition) throw new TypeError(`${target.typeName} has no method ${method.name}`)
    const { path, requestSerialize, responseDeserialize } = definition
    const startedAt = Date.now()
    const options = { deadline: startedAt + timeoutMs }
    const attempt = () =>
      new Promise<Message>((resolve, reject) => {
        const settle = (error: ServiceError | null, answer?: Message) => {
          signal.removeEventListener('abort', cancel)
          if (answer) resolve(answer)
          else reject(toConnectError(error))
        }
        const call = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          message,
          toMetadata(header),
          options,
          settle,
        )
        const cancel = () => call.cancel()
        signal.addEventListener('abort', cancel)
        if (signal.aborted) cancel()
      })
    // Later, the rest of the time is too short for the same request. It is one that waits for events.
    const isEarly = () => Date.now() - startedAt < DEADLINE_MS
    const repeats = (error: unknown, failures: number) => failures === 1 && isRepeatable(method, error) && isEarly()
    return await retry(attempt, { pauseMs: REPEAT_AFTER_MS, repeats })
  })
  return { transport, close: () => client.close() }
}

/**
 * grpc-js repeats calls that no replica received. With a `retryPolicy` it would also repeat others, but not those whose
 * response had begun when the connection ended (https://github.com/grpc/proposal/blob/master/A6-client-retries.md). The
 * response of a unary call is one message, so each idempotent call may be repeated.
 */
function isRepeatable({ idempotency }: DescMethod, error: unknown): boolean {
  const isIdempotent = idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN
  return isIdempotent && error instanceof ConnectError && error.code === Code.Unavailable
}

function toConnectError(error: ServiceError | null): ConnectError {
  if (!error) throw new TypeError('grpc-js reported neither an answer nor an error')
  const code: number = error.code // the same numbers
  return new ConnectError(error.details, code, toHeaders(error.metadata))
}
