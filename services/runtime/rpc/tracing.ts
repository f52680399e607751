/**
 * Spans of calls between services, including calls within one process, which no instrumentation covers, and their
 * durations. Names and attributes of spans follow the semantic conventions for RPC. A call outside a span, as of a
 * timer, a follower or a probe, has none, because an idle installation makes several a second.
 */
import type { Interceptor } from '@connectrpc/connect'
import { ConnectError } from '@connectrpc/connect'
import { status } from '@grpc/grpc-js'
import { context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api'
import { areMetricsOn } from '../telemetry/metric.ts'
import { rpcServerDuration } from '../telemetry/metrics.ts'
import { linkBatched, runInSpan, serviceContext } from '../telemetry/trace-context.ts'

const tracer = trace.getTracer('platen.rpc')

const headerSetter = { set: (header: Headers, key: string, value: string) => header.set(key, value) }
const headerGetter = {
  get: (header: Headers, key: string) => header.get(key) ?? undefined,
  keys: (header: Headers) => [...header.keys()],
}

export const traceClient: Interceptor = (next) => (request) =>
  withSpan(SpanKind.CLIENT, request, async () => {
    linkBatched()
    propagation.inject(context.active(), request.header, headerSetter)
    return await next(request)
  })

export const traceServer: Interceptor = (next) => (request) =>
  withSpan(
    SpanKind.SERVER,
    request,
    () => (areMetricsOn() ? measure(request, next(request)) : next(request)),
    propagation.extract(serviceContext(toServiceName(request.service.typeName)), request.header, headerGetter),
  )

type AnyRequest = Parameters<ReturnType<Interceptor>>[0]

async function measure<T>({ service, method }: AnyRequest, call: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  let code = 'OK'
  try {
    return await call
  } catch (error) {
    const failed: number = ConnectError.from(error).code // the same numbers
    code = status[failed] ?? ''
    throw error
  } finally {
    const labels = { service: toServiceName(service.typeName), method: method.name, code }
    rpcServerDuration.record((performance.now() - startedAt) / 1000, labels)
  }
}

/** `jobs` of `platen.jobs.v1.JobsService`. */
const toServiceName = (typeName: string) => typeName.split('.')[1] ?? ''

async function withSpan<T>(
  kind: SpanKind,
  request: AnyRequest,
  call: () => Promise<T>,
  parent = context.active(),
): Promise<T> {
  if (!trace.getSpanContext(parent)) return await context.with(parent, call)
  const attributes = {
    'rpc.system': 'grpc',
    'rpc.service': request.service.typeName,
    'rpc.method': request.method.name,
  }
  const span = tracer.startSpan(`${request.service.typeName}/${request.method.name}`, { kind, attributes }, parent)
  return await runInSpan(span, parent, () => call().catch((error: unknown) => rethrow(span, error)))
}

function rethrow(span: Span, error: unknown): never {
  span.setAttribute('rpc.grpc.status_code', ConnectError.from(error).code)
  throw error
}
