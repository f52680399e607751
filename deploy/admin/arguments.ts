/** Reads the command line of `npm run admin`. */
import { parseArgs } from 'node:util'
import { StartupError } from '../startup-error.ts'
import { COMMANDS, type Connect } from './commands.ts'

/**
 * @returns what carries the command out.
 * @throws StartupError that says how the command is called.
 */
export function parseCommand(args: string[]): (connect: Connect) => Promise<unknown> {
  const name = args.slice(0, 2).join(' ')
  const command = COMMANDS.find((each) => each.name === name)
  if (!command) throw new StartupError(`Say one of: ${COMMANDS.map((each) => each.name).join(', ')}.`)
  const usage = `Usage: npm run -s admin -- ${[name, command.usage].join(' ').trim()}`
  const parsed = parse(args.slice(2), [...command.required, ...command.optional])
  const missing = command.required.filter((option) => !parsed?.values[option])
  if (!parsed || parsed.positionals.length !== command.positionals || missing.length > 0) throw new StartupError(usage)
  return (connect) => command.run(connect, parsed.values, parsed.positionals)
}

function parse(args: string[], names: string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: values as Record<string, string | undefined>, positionals }
  } catch {
    // It says what is wrong in several sentences, none of which is how it is right.
    return undefined
  }
}
