/** Propagates traces where no instrumentation does: event log entries, NATS messages, messages of agents. */
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** The W3C `traceparent` of the active span; empty without one. */
export function currentTraceparent(): string {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? ''
}

/** Version 00 of the W3C format, whose ids must not be zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** @returns the `traceparent` of an untrusted sender; empty if it is not valid. */
export function parseTraceparent(text: string): string {
  return TRACEPARENT.test(text) ? text : ''
}

/** The parent context for a span. */
export function contextFrom(traceparent: string | undefined | null): Context {
  return traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT
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
