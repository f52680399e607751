/** Carries a trace through what no instrumentation sees: an entry of an event log, a NATS message, a field of an agent's message. */
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** The W3C `traceparent` of the active span; empty when there is none. */
export function currentTraceparent(): string {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? ''
}

/** The context to parent a span by. */
export function contextFrom(traceparent: string | undefined | null): Context {
  return traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT
}

/** Runs `work` inside `span` and ends the span with it, marked as failed when `work` throws. */
export async function within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
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
