import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { contextFrom, serviceContext } from '@platen/runtime/telemetry/trace-context.ts'
import type { Step } from '../context.ts'

const tracer = trace.getTracer('platen.gateway')

/** They come every few seconds. */
const PROBES = ['/healthz', '/readyz']

/**
 * The span of a request, from its headers to the end of the response. It is a root, so that callers choose neither ids
 * nor sampling. The `traceparent` of a caller becomes a link. As in the log, the template of the route stands for the
 * path, which can contain a mistyped secret. Reference: docs/operations/tracing.md#requests.
 */
export const traceRequest: Step = async (ctx, next) => {
  if (PROBES.includes(ctx.url)) return await next()
  const caller = trace.getSpanContext(contextFrom(ctx.get('traceparent')))
  const options = {
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': ctx.method },
    links: caller ? [{ context: caller }] : [],
  }
  const parent = serviceContext()
  const span = tracer.startSpan(ctx.method, options, parent)
  ctx.res.once('close', () => {
    const { method, status, _matchedRoute: route } = ctx
    if (route) span.updateName(`${method} ${route}`).setAttribute('http.route', String(route))
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  await context.with(trace.setSpan(parent, span), next)
}
