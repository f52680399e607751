/** Handles the messages of an agent after its hello, independently of each other. The agent repeats a message that is not confirmed. */
import { type Attributes, SpanKind, trace } from '@opentelemetry/api'
import {
  type ConnectRequest,
  type Received,
  type Removed,
  type Report,
  ReportedState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BatchesFull } from '@platen/runtime/batches.ts'
import { contextFrom, currentTraceparent, runInSpan } from '@platen/runtime/telemetry/trace-context.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'
import type { Intake } from './intake.ts'
import type { PrinterReports } from './printer-reports.ts'

const tracer = trace.getTracer('platen.agent')

const TRIGGERS: Partial<Record<ReportedState, AgentTrigger>> = {
  [ReportedState.PRINTING]: AgentTrigger.PRINT,
  [ReportedState.DONE]: AgentTrigger.COMPLETE,
  [ReportedState.ERROR]: AgentTrigger.FAIL,
  [ReportedState.WAITING]: AgentTrigger.WAIT,
}

export function handleMessage(
  devices: Devices,
  connection: Connection,
  intake: Intake,
  printerReports: PrinterReports,
  { message, traceparent }: ConnectRequest,
): void {
  switch (message.case) {
    case 'received':
      intake.track(
        handle(devices, connection, 'process agent.received', traceparent, message.value, () =>
          acknowledge(devices, connection, message.value, traceparent),
        ),
      )
      return
    case 'report':
      intake.track(
        handle(devices, connection, 'process agent.report', traceparent, message.value, () =>
          record(devices, connection, message.value, traceparent),
        ),
      )
      return
    case 'removed':
      intake.track(confirmRemoval(devices, connection, message.value))
      return
    case 'printers':
      printerReports.store(message.value.printers)
      return
    case 'heartbeat':
      return
    default:
      devices.log.warn({ computer_id: connection.computerId, message: message.case }, 'unexpected message from agent')
  }
}

async function handle(
  devices: Devices,
  connection: Connection,
  name: string,
  traceparent: string,
  job: { jobId: string; attempt: number },
  work: () => Promise<void>,
): Promise<void> {
  const parent = contextFrom(traceparent)
  const attributes: Attributes = { 'print.job.id': job.jobId, 'print.attempt': job.attempt }
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent)
  await runInSpan(span, parent, work).catch((error: unknown) => {
    if (error instanceof BatchesFull) connection.refuse('waiting messages')
    else devices.log.warn({ err: error, job_id: job.jobId }, 'agent message failed, will be repeated by the agent')
  })
}

/** Granted is the only permission to use the spooler. It is sent after the commit of the state. */
async function acknowledge(
  devices: Devices,
  connection: Connection,
  { jobId, attempt }: Received,
  traceparent: string,
): Promise<void> {
  const { computerId, organizationId, epoch } = connection
  const trigger = AgentTrigger.ACKNOWLEDGE
  const result = await devices.updates.record({
    organizationId,
    jobId,
    attempt,
    computerId,
    epoch,
    trigger,
    traceparent: currentTraceparent() || traceparent,
  })
  if (result.granted) connection.send({ case: 'granted', value: { jobId, attempt } }, traceparent)
  else connection.send({ case: 'refused', value: { jobId, attempt, state: result.state } }, traceparent)
  // A `sent` job was resent concurrently and waits for another acknowledgement.
  if (result.state !== 'sent') connection.dispatch.acknowledged(jobId)
}

/** Confirms every recorded report, also if the job did not change because it has ended in another way. */
async function record(devices: Devices, connection: Connection, report: Report, traceparent: string): Promise<void> {
  const { computerId, organizationId, epoch } = connection
  const { reportId, jobId, attempt, state, message, reasons, warnings } = report
  const trigger = TRIGGERS[state]
  if (!trigger) {
    devices.log.warn({ computer_id: computerId, job_id: jobId, state }, 'agent reported an unknown state')
    return
  }
  const result = await devices.updates.record({
    organizationId,
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

/** If the call fails, the removal is sent again and the agent confirms again. */
async function confirmRemoval(devices: Devices, { computerId }: Connection, { jobId }: Removed): Promise<void> {
  await devices.jobs
    .confirmRemoval({ computerId, jobId })
    .catch((error: unknown) =>
      devices.log.warn({ err: error, job_id: jobId }, 'confirmation of a removal failed, will be repeated'),
    )
}
