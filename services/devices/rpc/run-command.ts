import { create } from '@bufbuild/protobuf'
import { CommandSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { RunCommandRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { routeCommand } from '../agents/route-commands.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'
import { getComputer } from './get-computer.ts'

/**
 * @throws ApiError `not_found`; `command_failed` if the computer is offline, or with the cause that the agent reports;
 *   `service_unavailable`.
 */
export async function runCommand(
  devices: Devices,
  { command, ...ids }: Pick<RunCommandRequest, 'computerId' | 'organizationId' | 'mode' | 'command'>,
) {
  await getComputer(devices, ids)
  // A computer stays `online` for a while after its stream has ended, but no replica has its stream then.
  const connected = { id: ids.computerId, state: 'online', disconnectedAt: null } as const
  if ((await devices.orm.em.fork().count(ComputerEntity, connected)) === 0)
    throw new ApiError('command_failed', 'The computer is offline. Switch it on, and check that its agent runs.')
  const result = await routeCommand(devices, ids.computerId, command ?? create(CommandSchema))
  if (result.case === 'failure') throw new ApiError('command_failed', result.value.message)
  return { result: { result } }
}
