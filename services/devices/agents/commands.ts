/** The commands of users that wait for the answer of one agent. */
import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectResponseSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import {
  type Command,
  type CommandResult,
  CommandResultSchema,
} from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { COMMAND_LIMITS } from '@platen/resources/limits.ts'
import type { Hello } from './hello.ts'

type Result = CommandResult['result']

interface Pending {
  name: Command['command']['case']
  finish(result: Result): void
}

/** @param message a sentence for users: the cause and what to do. */
export const toFailure = (message: string): Result => create(CommandResultSchema, { result: failure(message) }).result

const failure = (message: string) => ({ case: 'failure' as const, value: { message } })

export class Commands {
  private readonly agent: Pick<Hello, 'agentVersion' | 'commands'>
  private readonly send: (message: MessageInitShape<typeof ConnectResponseSchema>['message']) => void
  private readonly pending = new Map<string, Pending>()

  constructor(agent: Commands['agent'], send: Commands['send']) {
    this.agent = agent
    this.send = send
  }

  /**
   * Sends a command once.
   *
   * @returns its result, or a failure if the agent does not know it or does not answer in time.
   */
  async run(command: Command['command']): Promise<Result> {
    const { agentVersion, commands } = this.agent
    if (!commands.includes(command.case ?? ''))
      return toFailure(
        `The agent of the computer (version ${agentVersion || 'unknown'}) does not know this command. Update the agent.`,
      )
    if (this.pending.size >= COMMAND_LIMITS.pendingMax)
      return toFailure('The computer still executes other commands. Try again in a moment.')
    const commandId = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Result>()
    const timeout = setTimeout(() => resolve(LATE), COMMAND_LIMITS.timeoutMs)
    this.pending.set(commandId, { name: command.case, finish: resolve })
    this.send({ case: 'command', value: { commandId, command } })
    return await promise.finally(() => {
      clearTimeout(timeout)
      this.pending.delete(commandId)
    })
  }

  /** @returns false for a result that no command waits for. */
  finish({ commandId, result }: CommandResult): boolean {
    const pending = this.pending.get(commandId)
    if (!pending) return false
    pending.finish(result.case === pending.name || result.case === 'failure' ? result : INVALID)
    return true
  }

  /** The stream has ended. */
  end(): void {
    for (const { finish } of this.pending.values()) finish(LOST)
  }
}

const LATE = toFailure(
  `The computer did not answer within ${COMMAND_LIMITS.timeoutMs / 1000} s. It may still execute the command. Check before you repeat it.`,
)
const LOST = toFailure(
  'The connection of the computer ended before it answered. It may have executed the command. Check before you repeat it.',
)
const INVALID = toFailure('The agent of the computer sent another result than this command has. Update the agent.')
