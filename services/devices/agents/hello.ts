/**
 * The first message of an agent: makes its stream the newest one of the computer, stores its printers and reconciles
 * its jobs.
 */
import type { Hello as HelloMessage, ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { changeComputers, setState } from '../computer-state.ts'
import type { Devices } from '../devices.ts'
import { toComputerFacts } from '../entities.ts'
import type { AgentIdentity } from './authenticate.ts'
import { toSpoolerProblemJson } from './spooler-state.ts'
import { storePrinterReport } from './store-printer-report.ts'
import { toAgentUpdateJson } from './update-state.ts'

/**
 * Brings the computer online and fences its older streams. Ignores a hello that the same run of the agent sent before
 * the newest one, because its content is outdated.
 */
const UPDATE = `
UPDATE devices.computer
SET epoch = epoch + 1, ${setState(`'online'`)}, disconnected_at = NULL, lost_at = NULL, lost_reported_at = NULL,
  last_seen_at = $2, run_id = $3, stream_number = $4,
  name = COALESCE(NULLIF($5, ''), name), hostname = $6, os = $7, os_version = $8, arch = $9, agent_version = $10,
  agent_update = $11, spooler_problem = $12
WHERE id = $1 AND deleted_at IS NULL AND ($4 = 0 OR run_id <> $3 OR stream_number < $4)`

/**
 * Whether another agent with the same credential was connected. An enrolment resets `run_id`, because it replaces the
 * credential.
 */
const IS_SHARED = `
  old.state = 'online' AND old.disconnected_at IS NULL AND old.run_id NOT IN ('', new.run_id) AS is_shared`

const PROCESS_HELLO = `${changeComputers(UPDATE, '$2', [IS_SHARED])} SELECT epoch, changed, is_shared FROM computers`

export interface Hello {
  computerId: string
  epoch: bigint
  runId: string
  hostname: string
  agentVersion: string
  /** Names of the commands that the agent can execute. */
  commands: string[]
  /** Held by the agent, which must remove them. */
  endedJobIds: string[]
  /** Printers that are not stored yet, because the computer had too many events of printers. */
  laterPrinters: ReportedPrinter[] | undefined
}

/**
 * @returns undefined for an outdated hello, and if the computer was deleted concurrently. The agent then reconnects and
 *   gets the reason.
 * @throws ApiError `service_unavailable` if the jobs service does not respond. The agent then reconnects.
 */
export async function processHello(
  devices: Devices,
  identity: AgentIdentity,
  hello: HelloMessage,
): Promise<Hello | undefined> {
  const { computerId } = identity
  const { runId, streamNumber, hostname, agentVersion, commands, heldJobIds } = hello
  const { rows } = await devices.pool.query<{ epoch: string; changed: boolean; is_shared: boolean }>({
    name: 'hello',
    text: PROCESS_HELLO,
    values: [
      computerId,
      devices.clock.now(),
      runId,
      streamNumber,
      ...toComputerFacts(hello),
      toAgentUpdateJson(hello.updateState),
      hello.spoolerState ? toSpoolerProblemJson(hello.spoolerState) : null,
    ],
  })
  if (!rows[0]) return undefined
  if (rows[0].changed) devices.eventsAdded()
  const epoch = BigInt(rows[0].epoch)
  const printers = hello.printers?.printers
  const isLater = devices.printerEventRates.get(computerId).take(0) > 0
  if (printers && !isLater) await storePrinterReport(devices, computerId, epoch, printers)
  const isShared = rows[0].is_shared
  const { endedJobIds } = await devices.jobs.reconcileComputer({ computerId, epoch, heldJobIds, isShared })
  const facts = { computerId, epoch, runId, hostname, agentVersion, commands, endedJobIds }
  return { ...facts, laterPrinters: isLater ? printers : undefined }
}
