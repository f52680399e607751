/** Traces: the agent uses only the OpenTelemetry API. It creates spans if an SDK was loaded before it. */
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { PrintFacts } from './journal/entry.ts'

/**
 * Handles a Print message in the span "process agent.print", child of the message's context.
 *
 * @param work receives the `traceparent` for all later messages about the job: that of the span, or without an SDK that of the
 *   message.
 */
export async function withPrintSpan(facts: PrintFacts, work: (traceparent: string) => Promise<void>): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent: facts.traceparent })
  const attributes = { 'print.job.id': facts.id, 'print.attempt': facts.attempt }
  const tracer = trace.getTracer('platen.agent')
  const span = tracer.startSpan('process agent.print', { kind: SpanKind.CONSUMER, attributes }, parent)
  const inSpan = trace.setSpan(parent, span)
  const carrier: { traceparent?: string } = {}
  propagation.inject(inSpan, carrier)
  try {
    await context.with(inSpan, () => work(carrier.traceparent ?? facts.traceparent))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    span.end()
  }
}
