/** Logs are JSON lines on standard output with the ids of the active trace. */
import { trace } from '@opentelemetry/api'
import { type DestinationStream, type Logger, pino, type SerializedError, stdSerializers } from 'pino'
import { openLogOutput } from './log-output.ts'

export type { Logger } from 'pino'

/** The output of all loggers of the process. */
const standardOutput = openLogOutput(1)

/**
 * @param name of the process, for example `jobs`.
 * @param level a pino level. Default: `PLATEN_LOG_LEVEL`, else `info`.
 * @param destination for tests that read the log.
 */
export function createLogger(
  name: string,
  level = process.env.PLATEN_LOG_LEVEL || 'info',
  destination: DestinationStream = standardOutput,
): Logger {
  const options = {
    name,
    level,
    base: { name, pid: process.pid },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: stdSerializers.wrapErrorSerializer(withoutDatabaseFields) },
    mixin() {
      const span = trace.getActiveSpan()?.spanContext()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
  }
  return pino(options, destination)
}

/**
 * Fields of an error of `pg`. `client` is the connection, 15 KB with the text of all prepared statements. The others
 * contain values of the row, for example an e-mail address that exists already.
 */
export const UNLOGGED_FIELDS = ['client', 'detail', 'where', 'internalQuery']

function withoutDatabaseFields(error: SerializedError): SerializedError {
  return Object.fromEntries(
    Object.entries(error).filter(([name]) => !UNLOGGED_FIELDS.includes(name)),
  ) as SerializedError
}
