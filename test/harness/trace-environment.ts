import type { TraceReceiver } from '../traces/receiver.ts'

/** Lets processes send their traces to `receiver`, without delay, and nothing else. */
export function traceEnvironment({ port }: TraceReceiver): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
}
