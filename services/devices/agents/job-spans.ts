/**
 * Spans of what agents do, in the traces of their jobs. jobs returns the trace context of a job, because an agent could
 * choose any. So the spans are made when the message has been recorded.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { SpanKind, trace } from '@opentelemetry/api'
import type { Received, Report, WorkTimes } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { AgentUpdateResult } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { contextFrom } from '@platen/runtime/telemetry/trace-context.ts'

const tracer = trace.getTracer('platen.agent')

function startSpan(name: string, { jobId, attempt }: Received | Report, traceparent: string, startTime: Date) {
  const attributes = { 'print.job.id': jobId, 'print.attempt': attempt }
  return tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes, startTime }, contextFrom(traceparent))
}

/** From the arrival of a message to its record. */
export function recordMessageSpan(
  name: 'process agent.received' | 'process agent.report',
  message: Received | Report,
  { traceparent }: AgentUpdateResult,
  arrivedAt: Date,
  recordedAt: Date,
): void {
  if (traceparent !== '') startSpan(name, message, traceparent, arrivedAt).end(recordedAt)
}

/** From the receipt of a job to its end on the computer, by the times in its last report. */
export function recordWorkSpan(report: Report, { traceparent, sentAt }: AgentUpdateResult, arrivedAt: Date): void {
  if (traceparent === '' || !sentAt || !report.times) return
  const { receivedAt, handedOverAt, endedAt } = toServerTimes(report.times, timestampDate(sentAt), arrivedAt)
  const span = startSpan('process agent.print', report, traceparent, receivedAt)
  if (handedOverAt) span.addEvent('handed over', handedOverAt)
  span.end(endedAt)
}

/**
 * Times by the clock of the service, between the sending of the job and the arrival of the report, in their order. The
 * clock of the agent gives only the distances, so a wrong one makes a span shorter or longer, but not impossible.
 */
export function toServerTimes(times: WorkTimes, sentAt: Date, arrivedAt: Date) {
  const latestMs = arrivedAt.getTime()
  const toMs = (msAgo: number, earliestMs: number) => Math.min(Math.max(latestMs - msAgo, earliestMs), latestMs)
  const { receivedMsAgo, handedOverMsAgo, endedMsAgo } = times
  const receivedMs = toMs(receivedMsAgo, sentAt.getTime())
  const handedOverMs = toMs(handedOverMsAgo ?? receivedMsAgo, receivedMs)
  return {
    receivedAt: new Date(receivedMs),
    handedOverAt: handedOverMsAgo === undefined ? undefined : new Date(handedOverMs),
    endedAt: new Date(toMs(endedMsAgo, handedOverMs)),
  }
}
