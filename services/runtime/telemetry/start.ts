/**
 * Starts OpenTelemetry: traces if the standard `OTEL_*` variables configure an exporter, metrics if they do or the port
 * for operators shows them. Otherwise its SDK is not loaded. Must run before the instrumented libraries are imported,
 * so `services/main.ts` awaits it first.
 */
import { register } from 'node:module'
import type { Span } from '@opentelemetry/api'
import { hideValues } from './hide-values.ts'
import type { Metrics } from './meter-provider.ts'

/** The modules that the instrumentations patch. */
const PATCHED = ['http', 'https', 'pg', 'pg-pool']

export interface Telemetry {
  /** Undefined without metrics. */
  metrics: Metrics | undefined
  stop(): Promise<void>
}

/**
 * @param options `serviceName` is used when `OTEL_SERVICE_NAME` is not set. `hasParts`: services run as parts of the
 *   process, and their spans have their names.
 */
export async function startTelemetry({
  serviceName,
  hasParts,
  showsMetrics,
}: {
  serviceName: string
  hasParts: boolean
  showsMetrics: boolean
}): Promise<Telemetry> {
  process.env.OTEL_SERVICE_NAME ||= serviceName
  const isExported = isConfigured(process.env)
  const sdk = isExported ? await startSdk() : undefined
  if (sdk && hasParts) (await import('./name-services.ts')).nameServices()
  const otlp = isExported && exportsMetrics(process.env)
  // After the SDK, so that the instrumentations do not record metrics of their own.
  const metrics = otlp || showsMetrics ? await (await import('./meter-provider.ts')).startMetrics({ otlp }) : undefined
  return {
    metrics,
    async stop() {
      await Promise.all([sdk?.shutdown(), metrics?.stop()])
    },
  }
}

async function startSdk() {
  // Without this hook the instrumentations miss modules that only ES modules import. The hook is limited to the patched
  // modules, because it doubles the import time of a module.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include: PATCHED } })
  const [{ NodeSDK }, { HttpInstrumentation }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
  ])
  const sdk = new NodeSDK({
    metricReaders: [],
    instrumentations: [
      // Both require a parent. Otherwise each poll of timers and followers would be a trace.
      // The instrumentation of the requests to S3. Incoming requests have spans of ours.
      new HttpInstrumentation({ disableIncomingRequestInstrumentation: true, requireParentforOutgoingSpans: true }),
      new PgInstrumentation({ requireParentSpan: true, requestHook: (span, { query }) => showStatement(span, query) }),
    ],
  })
  sdk.start()
  return sdk
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

/** The default is OTLP, as OpenTelemetry defines it. */
function exportsMetrics({ OTEL_METRICS_EXPORTER: exporters }: NodeJS.ProcessEnv): boolean {
  return (exporters || 'otlp').split(',').some((name) => name.trim() === 'otlp')
}
