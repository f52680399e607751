import type { Span } from './receiver.ts'

/** The spans from the root of a trace to `span`, as "service: kind name". */
export function spanPath(trace: Span[], span: Span): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? spanPath(trace, parent) : []), `${span.service}: ${span.kind} ${span.name}`]
}
