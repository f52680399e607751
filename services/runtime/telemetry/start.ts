/**
 * Starts OpenTelemetry if the standard `OTEL_*` variables configure an exporter. Otherwise its SDK is not loaded. Must run before the
 * instrumented libraries are imported, so `services/main.ts` awaits it first.
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
  // Without this hook the instrumentations miss modules that only ES modules import. The hook is limited to the patched modules, because
  // it doubles the import time of a module.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include: PATCHED } })
  const [{ NodeSDK }, { HttpInstrumentation }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
  ])
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => isProbe(request.url) }),
      // Otherwise each empty poll of timers and followers would be a trace.
      new PgInstrumentation({ requireParentSpan: true, requestHook: (span, { query }) => showStatement(span, query) }),
    ],
  })
  sdk.start()
  return { stop: () => sdk.shutdown() }
}

/** Named statements are prepared, so their text contains no values. */
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
