/**
 * Propagates traces where no instrumentation does: event log entries, messages to agents, requests, calls between
 * services.
 */
import {
  type Context,
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const SERVICE = createContextKey('platen service')

/** Runs a service of a process that runs several. Its spans have its name; see `name-services.ts`. */
export const runAsService = <T>(name: string, work: () => T): T =>
  context.with(context.active().setValue(SERVICE, name), work)

/** @returns undefined for code that belongs to no single service. */
export const getService = (of: Context) => of.getValue(SERVICE) as string | undefined

/** A context without a span. */
export const serviceContext = (name = getService(context.active())): Context => ROOT_CONTEXT.setValue(SERVICE, name)

const BATCHED = createContextKey('platen batched spans')

/** The context of the first item of a batch, which then has the spans of the batch in its trace. See `linkBatched`. */
export function batchContext([first = ROOT_CONTEXT, ...others]: Context[]): Context {
  const spans = others.map((other) => trace.getSpan(other)).filter((span) => span !== undefined)
  return spans.length === 0 ? first : first.setValue(BATCHED, spans)
}

/** Links the spans of the other items of the active batch to the active span, which is of a call of the batch. */
export function linkBatched(): void {
  const call = trace.getActiveSpan()
  const spans = (context.active().getValue(BATCHED) ?? []) as Span[]
  if (call) for (const span of spans) if (span.isRecording()) span.addLink({ context: call.spanContext() })
}

/** The W3C `traceparent` of the active span; empty without one. */
export function currentTraceparent(): string {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? ''
}

/** The parent context for a span. Without a parent if the text is not a valid `traceparent`. */
export function contextFrom(traceparent: string | undefined | null): Context {
  return traceparent ? propagation.extract(serviceContext(), { traceparent }) : serviceContext()
}

/** Runs `work` inside `span`, then ends the span. The span is marked as failed if `work` throws. */
export async function runInSpan<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
  return await context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
      throw error
    } finally {
      span.end()
    }
  })
}
