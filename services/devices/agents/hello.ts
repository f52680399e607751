/** An agent's first message: makes its stream the computer's newest, stores what it reported and settles its jobs. */
import type { Hello as HelloMessage } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { turnComputers, turns } from '../computer-state.ts'
import type { Devices } from '../devices.ts'
import type { AgentIdentity } from './authenticate.ts'
import { storePrinterReport } from './store-printer-report.ts'

const TEXT_MAX = 255

/**
 * The computer is online, and every older stream of it is fenced off, the moment this commits. A hello of the same run that was said
 * before the newest one changes nothing: what it holds is out of date.
 */
const UPDATE = `
UPDATE devices.computer SET epoch = epoch + 1, ${turns(`'online'`)}, disconnected_at = NULL, lost_at = NULL, lost_told_at = NULL,
  last_seen_at = $2, run_id = $3, stream_number = $4,
  name = COALESCE(NULLIF($5, ''), name), hostname = $6, os = $7, os_version = $8, arch = $9, agent_version = $10
WHERE id = $1 AND deleted_at IS NULL AND ($4 = 0 OR run_id <> $3 OR stream_number < $4)`

const SAY_HELLO = `${turnComputers(UPDATE, '$2')} SELECT epoch, turned FROM computers`

export interface Hello {
  computerId: string
  epoch: bigint
  runId: string
  /** What the agent holds and must remove. */
  endedJobIds: string[]
}

/**
 * @returns nothing for a hello that its agent has given up, since it has said another one that was served first, and for one of a computer
 *   that was deleted meanwhile: the agent comes again and is told.
 * @throws ApiError `service_unavailable` when the jobs service does not answer; the agent then comes again.
 */
export async function sayHello(
  devices: Devices,
  identity: AgentIdentity,
  hello: HelloMessage,
): Promise<Hello | undefined> {
  const { computerId } = identity
  const { runId, streamNumber, name, hostname, os, osVersion, arch, agentVersion } = hello
  const { rows } = await devices.pool.query<{ epoch: string; turned: boolean }>({
    name: 'hello',
    text: SAY_HELLO,
    values: [
      computerId,
      devices.clock.now(),
      text(runId),
      streamNumber,
      ...[name, hostname, os, osVersion, arch, agentVersion].map(text),
    ],
  })
  if (!rows[0]) return undefined
  if (rows[0].turned) devices.eventsAdded()
  const epoch = BigInt(rows[0].epoch)
  if (hello.printers) await storePrinterReport(devices, computerId, epoch, hello.printers.printers)
  const { endedJobIds } = await devices.jobs.reconcileComputer({ computerId, epoch, heldJobIds: hello.heldJobIds })
  return { computerId, epoch, runId, endedJobIds }
}

const text = (said: string) => said.slice(0, TEXT_MAX)
