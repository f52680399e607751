/** Logs are JSON lines on standard output, each with the ids of the trace that it belongs to. */
import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/**
 * @param name of the process, `jobs`.
 * @param level `PLATEN_LOG_LEVEL`: a pino level, `info` when it is not set.
 */
export function createLogger(name: string, level = process.env.PLATEN_LOG_LEVEL || 'info'): Logger {
  return pino({
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin() {
      const span = trace.getActiveSpan()?.spanContext()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
  })
}
