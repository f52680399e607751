/**
 * Passes commands of users to the replica that holds the stream of the computer. By core NATS, so a command can be
 * lost: it then fails, and its user repeats it. A replica ignores commands that no replica has signed.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { headers, TimeoutError } from '@nats-io/transport-node'
import {
  type Command,
  type CommandResult,
  CommandResultSchema,
  CommandSchema,
} from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { COMMAND_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'
import { toFailure } from './commands.ts'

const SUBJECT = 'platen.devices.commands'
const SIGNATURE = 'Platen-Signature'

/** Longer than the replica of the stream waits for the agent. */
const ANSWER_TIMEOUT_MS = COMMAND_LIMITS.timeoutMs + 1_000

/**
 * @returns the result of the agent, or a failure.
 * @throws ApiError `service_unavailable` without a connection to NATS.
 */
export async function routeCommand(
  { nats, commandSigner, log }: Devices,
  computerId: string,
  command: Command,
): Promise<CommandResult['result']> {
  try {
    const payload = toBinary(CommandSchema, command)
    const reply = nats.createInbox()
    const signed = headers()
    signed.set(SIGNATURE, commandSigner.sign({ computerId, reply, payload }))
    const options = { headers: signed, reply, noMux: true, timeout: ANSWER_TIMEOUT_MS }
    const answer = await nats.connection.request(`${SUBJECT}.${computerId}`, payload, options)
    return fromBinary(CommandResultSchema, answer.data).result
  } catch (error) {
    if (error instanceof TimeoutError)
      return toFailure('No replica of the service has the connection of the computer. Try again in a minute.')
    log.warn({ err: error, computer_id: computerId }, 'command not sent')
    throw new ApiError('service_unavailable', 'The command could not be sent. Try again in a moment.', { cause: error })
  }
}

export function listenForCommands(service: ServiceProcess, { nats, connections, commandSigner, log }: Devices): void {
  const subscription = nats.connection.subscribe(`${SUBJECT}.*`, {
    callback: (error, message) => {
      const connection = connections.get(message.subject.slice(SUBJECT.length + 1))
      if (error || !connection) return
      const { computerId } = connection
      const signed = { computerId, reply: message.reply ?? '', payload: message.data }
      if (!commandSigner.accept(signed, message.headers?.get(SIGNATURE) ?? ''))
        return log.warn({ computer_id: computerId }, 'command without a valid signature ignored')
      const { command } = fromBinary(CommandSchema, message.data)
      log.info({ computer_id: computerId, command: command.case }, 'command sent to agent')
      void connection.commands
        .run(command)
        .then((result) => message.respond(toBinary(CommandResultSchema, create(CommandResultSchema, { result }))))
    },
  })
  service.onStop('commands', () => subscription.unsubscribe())
}
