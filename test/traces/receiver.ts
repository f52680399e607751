/**
 * A small OTLP/HTTP receiver that keeps the newest traces in memory: tests assert on it, and `npm run traces` shows it to developers.
 * Takes protobuf and JSON, with and without gzip.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { fromBinary, fromJson, type JsonValue } from '@bufbuild/protobuf'
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
const BODY_LIMIT_BYTES = 16 * 1024 * 1024
const DUMP_LIMIT_BYTES = 64 * 1024 * 1024

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
  /** The tracer that made it: the name of an instrumentation's package, or "platen.rpc". */
  tracer: string
  /** "server", "client", "producer", "consumer", "internal" */
  kind: string
  startMs: number
  durationMs: number
  failed: boolean
  attributes: Record<string, unknown>
}

export interface TraceReceiver {
  port: number
  /** Newest first; the spans of each in the order of their start. */
  traces(): Span[][]
  /**
   * All that was ever received, as text: names, attributes, events, status messages, resources. To look for what must not be in it.
   *
   * @throws when that is over 64 MB, since then only the newest are kept.
   */
  dump(): string
  close(): Promise<void>
}

/** @param serve answers whatever is not an export: the viewer's page. */
export async function startTraceReceiver(port = 0, serve?: RequestListener): Promise<TraceReceiver> {
  const byTrace = new Map<string, Span[]>()
  const bodies: Buffer[] = []
  let receivedBytes = 0
  let keptBytes = 0

  function keep(body: Buffer): void {
    bodies.push(body)
    receivedBytes += body.length
    keptBytes += body.length
    while (keptBytes > DUMP_LIMIT_BYTES) keptBytes -= bodies.shift()?.length ?? 0
  }

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
    readBody(request)
      .then((body) => {
        keep(body)
        for (const span of spansOf(
          isJson(request) ? fromOtlpJson(body) : fromBinary(ExportTraceServiceRequestSchema, body),
        ))
          add(span)
        response
          .writeHead(200, { 'content-type': request.headers['content-type'] })
          .end(isJson(request) ? '{}' : undefined)
      })
      .catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    traces: () => [...byTrace.values()].reverse().map((spans) => spans.toSorted((a, b) => a.startMs - b.startMs)),
    dump() {
      if (receivedBytes > keptBytes) throw new Error(`more than ${DUMP_LIMIT_BYTES} bytes were received`)
      // In both encodings a text stands there as it is; a line ends what came before it.
      return bodies.map((body) => body.toString()).join('\n')
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isJson = (request: IncomingMessage) => request.headers['content-type']?.startsWith('application/json') ?? false

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const received = await buffer(request)
  return request.headers['content-encoding'] === 'gzip'
    ? gunzipSync(received, { maxOutputLength: BODY_LIMIT_BYTES })
    : received
}

/** OTLP writes ids in hexadecimal where the JSON of protobuf has base64. */
function fromOtlpJson(body: Buffer): ExportTraceServiceRequest {
  const json = JSON.parse(body.toString(), (key, value) =>
    /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(value, 'hex').toString('base64') : value,
  )
  return fromJson(ExportTraceServiceRequestSchema, json as JsonValue, { ignoreUnknownFields: true })
}

function* spansOf(message: ExportTraceServiceRequest): Generator<Span> {
  for (const { resource, scopeSpans } of message.resourceSpans) {
    const attributes = attributesOf(resource?.attributes ?? [])
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
    attributes: attributesOf(span.attributes),
  }
}

function attributesOf(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, attributeValue(value)]))
}

function attributeValue(any: AnyValue | undefined): unknown {
  const value = any?.value
  if (value?.case === 'arrayValue') return value.value.values.map(attributeValue)
  return value?.case === 'intValue' ? Number(value.value) : value?.value
}
