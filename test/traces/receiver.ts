/**
 * A small OTLP/HTTP receiver (protobuf) that keeps the newest traces in memory: tests assert on it, and
 * `npm run traces` shows it to developers.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fromBinary } from '@bufbuild/protobuf'
import {
  type AnyValue,
  type ExportTraceServiceRequest,
  ExportTraceServiceRequestSchema,
  type KeyValue,
  type Span as OtlpSpan,
  Span_SpanKind,
  Status_StatusCode,
} from '@platen/proto/gen/opentelemetry/v1/otlp_pb.ts'

const TRACES_MAX = 500

export interface Span {
  traceId: string
  spanId: string
  /** Empty for the root. */
  parentSpanId: string
  name: string
  /** `service.name` of the process. */
  service: string
  /** `service.instance.id`: which replica. */
  instance: string
  /** Name of the tracer: the package of an instrumentation, or "platen.rpc". */
  tracer: string
  /** "server", "client", "producer", "consumer", "internal" */
  kind: string
  startMs: number
  durationMs: number
  failed: boolean
  attributes: Record<string, unknown>
  events: { name: string; atMs: number }[]
  /** Span ids of other traces. */
  links: string[]
}

export type TraceReceiver = Awaited<ReturnType<typeof startTraceReceiver>>

/** @param serve answers all other requests: the viewer's page. With it, there is no dump. */
export async function startTraceReceiver(port = 0, serve?: RequestListener) {
  const byTrace = new Map<string, Span[]>()
  const bodies: Buffer[] = []

  function add(span: Span): void {
    const spans = byTrace.get(span.traceId) ?? []
    spans.push(span)
    byTrace.delete(span.traceId)
    byTrace.set(span.traceId, spans)
    const [oldest] = byTrace.keys()
    if (byTrace.size > TRACES_MAX && oldest) byTrace.delete(oldest)
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      if (serve) serve(request, response)
      else response.writeHead(request.method === 'POST' ? 200 : 404).end()
      return
    }
    buffer(request)
      .then((body) => {
        if (!serve) bodies.push(body)
        for (const span of readSpans(fromBinary(ExportTraceServiceRequestSchema, body))) add(span)
        response.writeHead(200, { 'content-type': request.headers['content-type'] }).end()
      })
      .catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    /** Newest first; the spans of each in the order of their start. */
    traces: () => [...byTrace.values()].reverse().map((spans) => spans.toSorted((a, b) => a.startMs - b.startMs)),
    /** All received data as text: names, attributes, events, status messages, resources. */
    dump: () => bodies.map((body) => body.toString()).join('\n'),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function* readSpans(message: ExportTraceServiceRequest): Generator<Span> {
  for (const { resource, scopeSpans } of message.resourceSpans) {
    const attributes = toAttributes(resource?.attributes ?? [])
    const origin = { service: String(attributes['service.name']), instance: String(attributes['service.instance.id']) }
    for (const { scope, spans } of scopeSpans)
      for (const span of spans) yield { ...origin, tracer: scope?.name ?? '', ...simplify(span) }
  }
}

function simplify(span: OtlpSpan): Omit<Span, 'service' | 'instance' | 'tracer'> {
  const hex = (id: Uint8Array) => Buffer.from(id).toString('hex')
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    name: span.name,
    kind: (Object.entries(Span_SpanKind).find(([, value]) => value === span.kind)?.[0] ?? 'unspecified').toLowerCase(),
    startMs: Number(span.startTimeUnixNano) / 1e6,
    durationMs: Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
    failed: span.status?.code === Status_StatusCode.ERROR,
    attributes: toAttributes(span.attributes),
    events: span.events.map(({ name, timeUnixNano }) => ({ name, atMs: Number(timeUnixNano) / 1e6 })),
    links: span.links.map(({ spanId }) => hex(spanId)),
  }
}

function toAttributes(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, attributeValue(value)]))
}

function attributeValue(any: AnyValue | undefined): unknown {
  const value = any?.value
  if (value?.case === 'arrayValue') return value.value.values.map(attributeValue)
  return value?.case === 'intValue' ? Number(value.value) : value?.value
}
