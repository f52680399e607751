/** What an agent says after its hello. Each message is answered on its own; what cannot be recorded now the agent says again. */
import { type Attributes, SpanKind, trace } from '@opentelemetry/api'
import {
  type ConnectRequest,
  type Received,
  type Removed,
  type Report,
  ReportedState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { contextFrom, currentTraceparent, within } from '@platen/runtime/telemetry/trace-context.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'
import type { PrinterReports } from './printer-reports.ts'

const tracer = trace.getTracer('platen.agent')

const TRIGGERS: Partial<Record<ReportedState, AgentTrigger>> = {
  [ReportedState.PRINTING]: AgentTrigger.PRINT,
  [ReportedState.DONE]: AgentTrigger.COMPLETE,
  [ReportedState.ERROR]: AgentTrigger.FAIL,
}

export function handleMessage(
  devices: Devices,
  connection: Connection,
  printerReports: PrinterReports,
  { message, traceparent }: ConnectRequest,
): void {
  switch (message.case) {
    case 'received':
      settle(devices, 'process agent.received', traceparent, message.value, () =>
        acknowledge(devices, connection, message.value, traceparent),
      )
      return
    case 'report':
      settle(devices, 'process agent.report', traceparent, message.value, () =>
        record(devices, connection, message.value, traceparent),
      )
      return
    case 'removed':
      confirmRemoval(devices, connection, message.value)
      return
    case 'printers':
      printerReports.store(message.value.printers)
      return
    case 'heartbeat':
      return
    default:
      devices.log.warn(
        { computer_id: connection.computerId, message: message.case },
        'unexpected message from an agent',
      )
  }
}

function settle(
  devices: Devices,
  name: string,
  traceparent: string,
  about: { jobId: string; attempt: number },
  work: () => Promise<void>,
): void {
  const parent = contextFrom(traceparent)
  const attributes: Attributes = { 'print.job.id': about.jobId, 'print.attempt': about.attempt }
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent)
  within(span, parent, work).catch((error: unknown) =>
    devices.log.warn({ err: error, job_id: about.jobId }, 'agent message not recorded, the agent repeats it'),
  )
}

/** Granted is the only permission to touch the spooler, and it comes after the state was committed. */
async function acknowledge(
  devices: Devices,
  connection: Connection,
  { jobId, attempt }: Received,
  traceparent: string,
): Promise<void> {
  const { computerId, epoch } = connection
  const trigger = AgentTrigger.ACKNOWLEDGE
  const result = await devices.updates.record({
    jobId,
    attempt,
    computerId,
    epoch,
    trigger,
    traceparent: currentTraceparent() || traceparent,
  })
  if (result.granted) connection.send({ case: 'granted', value: { jobId, attempt } }, traceparent)
  else connection.send({ case: 'refused', value: { jobId, attempt, state: result.state } }, traceparent)
  // Else it was sent again meanwhile, and still awaits its answer.
  if (result.state !== 'sent') connection.dispatch.answered(jobId)
}

/** Confirmed whenever it was recorded, also when it changed nothing: then the job's fate is settled otherwise. */
async function record(devices: Devices, connection: Connection, report: Report, traceparent: string): Promise<void> {
  const { computerId, epoch } = connection
  const { reportId, jobId, attempt, state, message, reasons, warnings } = report
  const trigger = TRIGGERS[state]
  if (!trigger) {
    devices.log.warn({ computer_id: computerId, job_id: jobId, state }, 'an agent reported an unknown state')
    return
  }
  const result = await devices.updates.record({
    jobId,
    attempt,
    computerId,
    epoch,
    trigger,
    message,
    reasons,
    warnings,
    traceparent: currentTraceparent() || traceparent,
  })
  connection.send({ case: 'reportConfirmed', value: { reportId, state: result.state } }, traceparent)
}

/** What gets lost of it is said again, to the agent and by it. */
function confirmRemoval(devices: Devices, { computerId }: Connection, { jobId }: Removed): void {
  devices.jobs
    .confirmRemoval({ computerId, jobId })
    .catch((error: unknown) => devices.log.warn({ err: error, job_id: jobId }, 'removal of a job not confirmed'))
}
