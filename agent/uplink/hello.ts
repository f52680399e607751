import { arch, hostname, release } from 'node:os'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HelloSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import manifest from '../package.json' with { type: 'json' }

const OS_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' }

/** Operating system name in the API. */
export const osName = () => OS_NAMES[process.platform] ?? process.platform

/**
 * Computer facts, printers and unsettled jobs. The display name is set at enrolment and not sent.
 *
 * @param streamNumber increases with each hello of one run of the agent.
 */
export async function buildHello(
  { runId, printerReports, commands, journal, updates }: Agent,
  streamNumber: number,
): Promise<MessageInitShape<typeof HelloSchema>> {
  const { printers, spoolerState } = await printerReports.forHello()
  return {
    runId,
    streamNumber,
    agentVersion: manifest.version,
    hostname: hostname(),
    os: osName(),
    osVersion: release(),
    arch: arch(),
    printers: printers && { printers },
    commands: commands.names,
    updateState: updates?.describe(),
    spoolerState,
    heldJobIds: journal.unsettled().map(({ id }) => id),
  }
}
