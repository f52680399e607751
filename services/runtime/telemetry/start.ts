/**
 * Turns OpenTelemetry on when the standard `OTEL_*` variables name somewhere to send to; else nothing of it is loaded and the
 * API does nothing. Must run before the instrumented libraries are imported, so `services/main.ts` awaits it first.
 */
import { register } from 'node:module'
import type { Span } from '@opentelemetry/api'
import { hideValues } from './hide-values.ts'

/** The modules that the instrumentations patch. */
const PATCHED = ['http', 'https', 'pg', 'pg-pool']

/** @param serviceName is used when `OTEL_SERVICE_NAME` is not set. */
export async function startTelemetry(serviceName: string): Promise<{ stop(): Promise<void> }> {
  if (!isConfigured(process.env)) return { stop: async () => undefined }
  process.env.OTEL_SERVICE_NAME ||= serviceName
  // Without this hook the patches below silently miss what only ES modules import. Koa and pg lead them to the rest: they `require`.
  // Other modules are left alone: the hook doubles the time of their import.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include: PATCHED } })
  const [{ NodeSDK }, { HttpInstrumentation }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
  ])
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => isProbe(request.url) }),
      // Timers and followers poll: without a parent each empty look would be a trace of its own.
      new PgInstrumentation({ requireParentSpan: true, requestHook: (span, { query }) => showStatement(span, query) }),
    ],
  })
  sdk.start()
  return { stop: () => sdk.shutdown() }
}

/** A statement that has a name is prepared, so there are no values in its text. */
function showStatement(span: Span, { text, name }: { text: string; name?: string }): void {
  if (name === undefined) span.setAttribute('db.query.text', hideValues(text))
}

function isConfigured(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED === 'true') return false
  return Object.keys(env).some(
    (name) => /^OTEL_(EXPORTER_OTLP_(\w+_)?ENDPOINT|(TRACES|METRICS|LOGS)_EXPORTER)$/.test(name) && env[name],
  )
}

const isProbe = (path = '') => path === '/healthz' || path === '/readyz'
