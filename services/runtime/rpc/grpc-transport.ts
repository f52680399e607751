/** The caller's end of gRPC: grpc-js resolves the replicas of a service, spreads calls over them and passes over those that fail. */
import type { DescService, Message } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { grpcServiceDefinition } from '@platen/proto/grpc.ts'
import { createTransport } from './calls.ts'
import { SECRET_HEADER, toHeaders, toMetadata } from './metadata.ts'
import { ANSWER_LIMIT_BYTES, DEADLINE_MS, type RpcClientOptions } from './rpc.ts'
import { traceClient } from './tracing.ts'

/** A replica whose address went away is replaced within this time. */
const RESOLVE_EVERY_MS = 5_000

/** Together no longer than a call: a replica that does not answer costs a call its deadline, and the next ones nothing. */
const PING_AFTER_MS = 2_000
const PING_TIMEOUT_MS = DEADLINE_MS - PING_AFTER_MS

const RECONNECT_MS = { min: 100, max: 1_000 }

/** A replica that answers, but fails everything (its way to the database is broken), is left out while another one does not. */
const OUTLIER_DETECTION = {
  interval: { seconds: 1, nanos: 0 },
  base_ejection_time: { seconds: 5, nanos: 0 },
  max_ejection_time: { seconds: 30, nanos: 0 },
  max_ejection_percent: 50,
  failure_percentage_ejection: { threshold: 90, enforcement_percentage: 100, minimum_hosts: 2, request_volume: 5 },
  child_policy: [{ round_robin: {} }],
}

/**
 * @param timeoutMs of calls that have none of their own.
 * @returns a transport for unary calls of this service, whose calls fail with a ConnectError.
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
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set(SECRET_HEADER, secret)
    return next(request)
  }
  const methods = grpcServiceDefinition(target)
  const transport = createTransport([traceClient, authenticate], timeoutMs, async (request, timeoutMs) => {
    const { method, message, header, signal } = request
    const definition = methods[method.localName]
    if (!definition) throw new TypeError(`${method.name} is no method of ${target.typeName}`)
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

/** A call that never arrived is always tried at another replica; one that a replica refused or lost, only if it may be repeated. */
function serviceConfig({ typeName, methods }: DescService) {
  const repeatable = methods.filter(
    ({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN,
  )
  return {
    loadBalancingConfig: [{ outlier_detection: OUTLIER_DETECTION }],
    methodConfig: [
      {
        name: repeatable.map(({ name }) => ({ service: typeName, method: name })),
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
