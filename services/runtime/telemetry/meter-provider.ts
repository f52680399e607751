/**
 * Collects the metrics for `/metrics` and for OTLP. Loaded by `start.ts` only if one of them is configured, because it
 * loads the SDK.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { defaultResource, detectResources, envDetector, hostDetector } from '@opentelemetry/resources'
import {
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { bindMetrics } from './metric.ts'
import { eventLoopDelay } from './metrics.ts'

export interface Metrics {
  /** @returns the text format of Prometheus, version 0.0.4. */
  read(): Promise<string>
  /** Sends the last values. */
  stop(): Promise<void>
}

/** @param otlp Whether to send the metrics as the `OTEL_*` variables define it. */
export async function startMetrics({ otlp }: { otlp: boolean }): Promise<Metrics> {
  // Its server is not started. The port for operators serves the page.
  const page = new PrometheusExporter({ preventServerStart: true })
  // Without the instrumentation scope and `target_info`, which Prometheus would add to each series.
  const serializer = new PrometheusSerializer('', false, undefined, true, true)
  const readers: IMetricReader[] = otlp ? [page, await createOtlpReader(process.env)] : [page]
  const resource = defaultResource().merge(detectResources({ detectors: [hostDetector, envDetector] }))
  const provider = new MeterProvider({ readers, resource })
  bindMetrics(provider.getMeter('platen'))
  observeEventLoop()
  return {
    async read() {
      const { resourceMetrics } = await page.collect()
      return serializer.serialize(resourceMetrics)
    },
    stop: () => provider.shutdown(),
  }
}

/** The exporters by protocol. The default is `http/protobuf`, as OpenTelemetry defines it. */
const OTLP_EXPORTERS: Record<string, () => Promise<{ OTLPMetricExporter: new () => PushMetricExporter }>> = {
  grpc: () => import('@opentelemetry/exporter-metrics-otlp-grpc'),
  'http/json': () => import('@opentelemetry/exporter-metrics-otlp-http'),
}

async function createOtlpReader(env: NodeJS.ProcessEnv): Promise<IMetricReader> {
  const protocol = env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || ''
  const load = OTLP_EXPORTERS[protocol] ?? (() => import('@opentelemetry/exporter-metrics-otlp-proto'))
  const { OTLPMetricExporter } = await load()
  const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL) || undefined
  return new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis })
}

/** The resolution of the timer that measures the delay. It is part of each measured time. */
const RESOLUTION_MS = 20

function observeEventLoop(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  eventLoopDelay.observe({}, () => {
    const ms = delays.count === 0 ? 0 : delays.percentile(99) / 1e6 - RESOLUTION_MS
    delays.reset()
    return Math.max(0, ms) / 1000
  })
}
