/** An agent's first message: makes its stream the computer's newest, stores what it reported and settles its jobs. */
import type { Hello as HelloMessage } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Devices } from '../devices.ts'
import type { AgentIdentity } from './authenticate.ts'
import { storePrinterReport } from './store-printer-report.ts'

/** The computer is online, and every older stream of it is fenced off, the moment this commits. */
const SAY_HELLO = `
UPDATE devices.computer SET epoch = epoch + 1, state = 'online', disconnected_at = NULL, last_seen_at = $2,
  name = COALESCE(NULLIF($3, ''), name), hostname = $4, os = $5, os_version = $6, arch = $7, agent_version = $8
WHERE id = $1 RETURNING epoch`

export interface Hello {
  computerId: string
  epoch: bigint
  runId: string
}

/** @throws ApiError `service_unavailable` when the jobs service does not answer; the agent then comes again. */
export async function sayHello(devices: Devices, identity: AgentIdentity, hello: HelloMessage): Promise<Hello> {
  const { computerId } = identity
  const { name, hostname, os, osVersion, arch, agentVersion } = hello
  const now = devices.clock.now()
  const { rows } = await devices.pool.query<{ epoch: string }>(SAY_HELLO, [
    computerId,
    now,
    ...[name, hostname, os, osVersion, arch, agentVersion].map((text) => text.slice(0, 255)),
  ])
  const epoch = BigInt(rows[0]?.epoch ?? 0)
  await storePrinterReport(devices, identity, hello.printers?.printers ?? [])
  await devices.jobs.reconcileComputer({ computerId, epoch, heldJobIds: hello.heldJobIds })
  return { computerId, epoch, runId: hello.runId }
}
