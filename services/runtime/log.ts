/** Logs are JSON lines on standard output, each with the ids of the trace that it belongs to. */
import { trace } from '@opentelemetry/api'
import { type DestinationStream, type Logger, pino, type SerializedError, stdSerializers } from 'pino'

export type { Logger } from 'pino'

/**
 * @param name of the process, `jobs`.
 * @param level `PLATEN_LOG_LEVEL`: a pino level, `info` when it is not set.
 * @param destination for a test that reads them.
 */
export function createLogger(
  name: string,
  level = process.env.PLATEN_LOG_LEVEL || 'info',
  destination?: DestinationStream,
): Logger {
  const options = {
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: stdSerializers.wrapErrorSerializer(withoutConnection) },
    mixin() {
      const span = trace.getActiveSpan()?.spanContext()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** `pg` hangs the whole connection on the error of one that was lost: 15 KB, with the text of every statement it has prepared. */
function withoutConnection({ client: _, ...error }: SerializedError): SerializedError {
  return error as SerializedError
}
