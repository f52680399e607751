/** The commands of `platen-server admin`, from the table in `commands.ts`. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { COMMANDS, type Options } from './commands.ts'

export type Run = (connect: Connect) => Promise<unknown>

/** @param act gets what the chosen command does. */
export function addAdmin(admin: Command, act: (run: Run) => Promise<void>): Command {
  for (const [name, { usage, run }] of Object.entries(COMMANDS)) {
    const [group = '', verb = ''] = name.split(' ')
    const parent = admin.commands.find((one) => one.name() === group) ?? admin.command(group)
    const command = parent.command(verb)
    for (const [, bracket, option = '', value = ''] of usage.matchAll(/(\[)?--([\w-]+) ([^\s\]]+)/g)) {
      const flags = `--${option} <${value}>`
      if (bracket) command.option(flags, '', refuseEmpty)
      else command.requiredOption(flags, '', refuseEmpty)
    }
    if (usage !== '' && !usage.includes('--')) command.argument(`<${usage}>`, '', refuseEmpty)
    command.action(async (...parsed: unknown[]) => {
      const own = parsed.at(-1) as Command
      await act((connect) => run(connect, own.opts<Options>(), own.args))
    })
  }
  const usages = Object.entries(COMMANDS).map(([name, { usage }]) => `  ${name} ${usage}`)
  return admin.addHelpText('after', `\n${usages.join('\n')}`)
}

function refuseEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.')
  return text
}

/**
 * @param args without `admin`.
 * @returns what the command does.
 * @throws StartupError for wrong arguments.
 */
export function parseCommand(args: string[]): Run {
  let chosen: Run | undefined
  const admin = new Command('admin').exitOverride().configureOutput({ writeErr: () => undefined })
  addAdmin(admin, async (run) => {
    chosen = run
  })
  try {
    admin.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) throw new StartupError(error.message.replace(/^error: /, ''))
    throw error
  }
  if (!chosen) throw new StartupError('Name a command. `platen-server admin --help` lists them.')
  return chosen
}
