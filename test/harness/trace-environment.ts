import type { TraceReceiver } from '../traces/receiver.ts'

/** Environment of processes that send traces, and no metrics or logs, to `receiver` without delay. */
export function traceEnvironment({ port }: TraceReceiver): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
}
