/** Parses the command line of `npm run admin`. */
import { parseArgs } from 'node:util'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { COMMANDS } from './commands.ts'

/**
 * @returns a function that runs the command.
 * @throws StartupError with the usage.
 */
export function parseCommand(args: string[]): (connect: Connect) => Promise<unknown> {
  const name = args.slice(0, 2).join(' ')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new StartupError(`Unknown command. Use one of: ${Object.keys(COMMANDS).join(', ')}.`)
  const { required, optional, count } = parseUsage(command.usage)
  const parsed = parse(args.slice(2), [...required, ...optional])
  if (parsed?.positionals.length !== count || required.some((option) => !parsed.values[option]))
    throw new StartupError(`Usage: npm run -s admin -- ${[name, command.usage].join(' ').trim()}`)
  return (connect) => command.run(connect, parsed.values, parsed.positionals)
}

/** `--org ID` is a required option, `[--name NAME]` an optional one. A usage without options is one argument or none. */
function parseUsage(usage: string) {
  const names = (pattern: RegExp) => [...usage.matchAll(pattern)].map(([name]) => name)
  const required = names(/(?<=(?<!\[)--)\w+/g)
  return { required, optional: names(/(?<=\[--)\w+/g), count: usage !== '' && required.length === 0 ? 1 : 0 }
}

function parse(args: string[], names: string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: values as Record<string, string | undefined>, positionals }
  } catch {
    // The usage is clearer than the error message of parseArgs.
    return undefined
  }
}
