import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Command, type CommandResult, CommandSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { RunCommandRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { COMMAND_LIMITS } from '@platen/resources/limits.ts'
import type { Gateway } from '../gateway.ts'

type Case = NonNullable<Command['command']['case']>
type Init<Name extends Case> = Extract<NonNullable<MessageInitShape<typeof CommandSchema>['command']>, { case: Name }>
type ResultValue<Name extends Case> = Extract<CommandResult['result'], { case: Name }>['value']

/** Longer than the devices service waits for the agent. */
export const TIMEOUT_MS = COMMAND_LIMITS.timeoutMs + 3_000

/**
 * Sends a command to the agent of a computer and waits for its result.
 *
 * @throws ApiError `not_found` for the computer; `command_failed` with the cause; `service_unavailable`.
 */
export async function runCommand<Name extends Case>(
  { devices }: Pick<Gateway, 'devices'>,
  computer: Pick<RunCommandRequest, 'organizationId' | 'mode' | 'computerId'>,
  name: Name,
  value: Init<Name>['value'],
): Promise<ResultValue<Name>> {
  const command = create(CommandSchema, { command: { case: name, value } as Init<Name> })
  const { result } = await devices.runCommand({ ...computer, command }, { timeoutMs: TIMEOUT_MS })
  return result?.result.value as ResultValue<Name>
}
