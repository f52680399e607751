/** Gives each span of a process with several services the name of its service. They share one exporter. */
import { type Context, context, type ProxyTracerProvider, type Span, type Tracer, trace } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { getService } from './trace-context.ts'

/** A recorded span. The SDK gives all of them the resource of the process. */
type RecordedSpan = Span & { resource: Resource }

/** Called after the start of the SDK, before the first span. */
export function nameServices(): void {
  const proxy = trace.getTracerProvider() as ProxyTracerProvider
  const provider = proxy.getDelegate()
  const resources = new Map<string, Resource>()

  function setService(span: Span, of: Context): Span {
    const name = getService(of)
    if (name === undefined || !('resource' in span)) return span
    const recorded = span as RecordedSpan
    // The same object for all spans of a service, because the exporter groups them by it.
    const resource =
      resources.get(name) ?? recorded.resource.merge(resourceFromAttributes({ 'service.name': `platen-${name}` }))
    resources.set(name, resource)
    recorded.resource = resource
    return span
  }

  proxy.setDelegate({
    getTracer(...scope) {
      const tracer = provider.getTracer(...scope)
      const startSpan: Tracer['startSpan'] = (name, options, parent = context.active()) =>
        setService(tracer.startSpan(name, options, parent), parent)
      return Object.create(tracer, { startSpan: { value: startSpan } })
    },
  })
}
