/**
 * Handles the messages of an agent after its hello, independently of each other. The agent repeats a message that is
 * not confirmed.
 */
import {
  ConfirmedBy,
  type ConnectRequest,
  type Received,
  type Removed,
  type Report,
  ReportedState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BatchesFull } from '@platen/runtime/batches.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'
import { hashCredential } from './credential.ts'
import type { Intake } from './intake.ts'
import { recordMessageSpan, recordWorkSpan } from './job-spans.ts'
import { adoptCredential } from './new-credentials.ts'
import type { PrinterReports } from './printer-reports.ts'
import { storeSpoolerState } from './spooler-state.ts'
import { storeUpdateState } from './update-state.ts'

const TRIGGERS: Partial<Record<ReportedState, AgentTrigger>> = {
  [ReportedState.PRINTING]: AgentTrigger.PRINT,
  [ReportedState.DONE]: AgentTrigger.COMPLETE,
  [ReportedState.ERROR]: AgentTrigger.FAIL,
  [ReportedState.WAITING]: AgentTrigger.WAIT,
}

const CONFIRMED_BY: Partial<Record<ConfirmedBy, string>> = {
  [ConfirmedBy.PRINTER]: 'printer',
  [ConfirmedBy.SPOOLER]: 'spooler',
  [ConfirmedBy.NOBODY]: 'nobody',
}

export function handleMessage(
  devices: Devices,
  connection: Connection,
  intake: Intake,
  printerReports: PrinterReports,
  { message }: ConnectRequest,
): void {
  switch (message.case) {
    case 'received':
      intake.track(handle(devices, connection, message.value, acknowledge))
      return
    case 'report':
      intake.track(handle(devices, connection, message.value, record))
      return
    case 'removed':
      intake.track(confirmRemoval(devices, connection, message.value))
      return
    case 'printers':
      printerReports.store(message.value.printers)
      return
    case 'credentialStored':
      intake.track(endOldCredential(devices, connection))
      return
    case 'commandResult':
      if (!connection.commands.finish(message.value))
        devices.log.info({ computer_id: connection.computerId }, 'late result of a command ignored')
      return
    case 'updateState':
      intake.track(storeUpdateState(devices, connection, message.value))
      return
    case 'spoolerState':
      intake.track(storeSpoolerState(devices, connection, message.value))
      return
    case 'heartbeat':
      return
    default:
      devices.log.warn({ computer_id: connection.computerId, message: message.case }, 'unexpected message from agent')
  }
}

async function endOldCredential(devices: Devices, { computerId, newCredential }: Connection): Promise<void> {
  await adoptCredential(devices, hashCredential(newCredential)).catch((error: unknown) =>
    devices.log.warn(
      { err: error, computer_id: computerId },
      'old credential not ended, ends when the new one is used',
    ),
  )
}

async function handle<Message extends Received | Report>(
  devices: Devices,
  connection: Connection,
  message: Message,
  work: (devices: Devices, connection: Connection, message: Message) => Promise<void>,
): Promise<void> {
  await work(devices, connection, message).catch((error: unknown) => {
    if (error instanceof BatchesFull) connection.refuse('waiting messages')
    else devices.log.warn({ err: error, job_id: message.jobId }, 'agent message failed, will be repeated by the agent')
  })
}

/** Granted is the only permission to use the spooler. It is sent after the commit of the state. */
async function acknowledge(devices: Devices, connection: Connection, message: Received): Promise<void> {
  const arrivedAt = devices.clock.now()
  const { computerId, organizationId, epoch } = connection
  const { jobId, attempt } = message
  const trigger = AgentTrigger.ACKNOWLEDGE
  const result = await devices.updates.record({ organizationId, jobId, attempt, computerId, epoch, trigger })
  recordMessageSpan('process agent.received', message, result, arrivedAt, devices.clock.now())
  if (result.granted) connection.send({ case: 'granted', value: { jobId, attempt } })
  else connection.send({ case: 'refused', value: { jobId, attempt, state: result.state } })
  // A `sent` job was resent concurrently and waits for another acknowledgement.
  if (result.state !== 'sent') connection.dispatch.acknowledged(jobId)
}

/** Confirms every recorded report, also if the job did not change because it has ended in another way. */
async function record(devices: Devices, connection: Connection, report: Report): Promise<void> {
  const arrivedAt = devices.clock.now()
  const { computerId, organizationId, epoch } = connection
  const { reportId, jobId, attempt, state, message, reasons, warnings, confirmedBy, printed } = report
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
    confirmedBy: CONFIRMED_BY[confirmedBy],
    printed,
  })
  recordMessageSpan('process agent.report', report, result, arrivedAt, devices.clock.now())
  recordWorkSpan(report, result, arrivedAt)
  connection.send({ case: 'reportConfirmed', value: { reportId, state: result.state } })
}

/** If the call fails, the removal is sent again and the agent confirms again. */
async function confirmRemoval(devices: Devices, { computerId }: Connection, { jobId }: Removed): Promise<void> {
  await devices.jobs
    .confirmRemoval({ computerId, jobId })
    .catch((error: unknown) =>
      devices.log.warn({ err: error, job_id: jobId }, 'confirmation of a removal failed, will be repeated'),
    )
}
