/** Executes commands of users, which the service sends, and answers each once. Printing does not depend on them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Command, CommandResultSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import manifest from '../package.json' with { type: 'json' }
import { addPrinter } from './add-printer.ts'
import { askPrinter } from './ask-printer.ts'
import { collectDiagnostics } from './collect-diagnostics.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'
import { findPrinters } from './find-printers.ts'
import { listAddedPrinters } from './list-added-printers.ts'
import { createNewPrinters } from './open-new-printer.ts'
import { removePrinter } from './remove-printer.ts'
import { setPrinterLanguage } from './set-printer-language.ts'
import { updateAgent } from './update-agent.ts'

type Case = NonNullable<Command['command']['case']>
type CommandValue<Name extends Case> = Extract<Command['command'], { case: Name }>['value']
type Result = NonNullable<MessageInitShape<typeof CommandResultSchema>['result']>
type ResultValue<Name extends Case> = Extract<Result, { case: Name }>['value']

type Table = {
  [Name in Case]: (
    context: CommandContext,
    command: CommandValue<Name>,
  ) => ResultValue<Name> | Promise<ResultValue<Name>>
}

/** @throws CommandRefused with the cause for the user. */
const COMMANDS: Table = {
  findPrinters,
  listAddedPrinters,
  addPrinter,
  askPrinter,
  removePrinter,
  setPrinterLanguage,
  updateAgent,
  collectDiagnostics,
}

/** At once. The service has a limit as well. */
const RUNNING_MAX = 8

export type Commands = ReturnType<typeof createCommands>

/** @param context without `networkPrinters` for an agent that accepts no command. */
export function createCommands({
  networkPrinters,
  ...others
}: Omit<CommandContext, 'networkPrinters' | 'newPrinters'> & Partial<Pick<CommandContext, 'networkPrinters'>>) {
  const context = networkPrinters && { ...others, networkPrinters, newPrinters: createNewPrinters(others.clock) }
  let running = 0

  async function execute({ command }: Command): Promise<Result> {
    const run = COMMANDS[command.case as Case] as Table[Case] | undefined
    if (!run || !context)
      return toFailure(
        `The agent of the computer (version ${manifest.version}) does not know this command. Update the agent.`,
      )
    if (running >= RUNNING_MAX) return toFailure('The computer still executes other commands. Try again in a moment.')
    running++
    try {
      return { case: command.case, value: await run(context, command.value as never) } as Result
    } catch (error) {
      if (error instanceof CommandRefused) return toFailure(error.message)
      context.log.warn({ err: error, command: command.case }, 'command failed')
      return toFailure('The agent failed to execute the command. Its log has the cause.')
    } finally {
      running--
    }
  }

  return {
    /** For the hello. */
    names: context ? Object.keys(COMMANDS) : [],

    /** Answers with `send`, whatever happens. */
    async handle(
      command: Command,
      send: (message: MessageInitShape<typeof ConnectRequestSchema>) => void,
    ): Promise<void> {
      const result = await execute(command)
      send({ message: { case: 'commandResult', value: { commandId: command.commandId, result } } })
    },
  }
}

const toFailure = (message: string): Result => ({ case: 'failure', value: { message } })
