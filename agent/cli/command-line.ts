/** Parses the command line and runs a command. */
import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'
import manifest from '../package.json' with { type: 'json' }
import { defaultDataDir } from './data-dir.ts'
import { doctor } from './doctor.ts'
import { enroll } from './enroll.ts'
import { EXIT } from './exit-codes.ts'
import { type Io, processIo } from './io.ts'
import { type Options, UsageError } from './options.ts'
import { print } from './output.ts'
import { printers } from './printers.ts'
import { run } from './run.ts'
import { status } from './status.ts'
import { supportBundle } from './support-bundle.ts'
import { update } from './update.ts'
import { verifyPrinter } from './verify-printer.ts'

type Option = Exclude<keyof Options, 'dataDir'>

interface Command {
  /** @returns the exit code. */
  run(options: Options, io: Io): Promise<number>
  /** Options besides `--data-dir`. */
  accepts: Option[]
  help: string
}

const COMMANDS: Record<string, Command> = {
  enroll: {
    run: enroll,
    accepts: [
      'server',
      'tokenFile',
      'name',
      'caFile',
      'spooler',
      'agentHost',
      'insecure',
      'autoUpdate',
      'allowNetworkPrinters',
    ],
    help: 'join an organization: --server URL --token-file FILE (- for standard input, or PLATEN_ENROLL_TOKEN) [--name NAME] [--ca-file FILE] [--spooler virtual] [--agent-host NAME] [--insecure] [--auto-update] [--allow-network-printers]',
  },
  run: { run, accepts: [], help: 'connect and print until stopped' },
  status: { run: status, accepts: ['json'], help: 'show the connection and the jobs of the running agent [--json]' },
  printers: {
    run: printers,
    accepts: ['json', 'trust'],
    help: 'list the printers of this computer [--json], or accept the changed key of one [--trust NAME]',
  },
  'verify-printer': {
    run: verifyPrinter,
    accepts: ['printer', 'output'],
    help: 'print four labels or receipts on a raw printer, ask what came out, and write a report: --printer NAME [--output FILE]',
  },
  doctor: { run: doctor, accepts: [], help: 'check the installation and explain how to fix problems' },
  update: {
    run: update,
    accepts: ['allowDowngrade'],
    help: 'install the version of the agent that the service offers [--allow-downgrade]',
  },
  'support-bundle': {
    run: supportBundle,
    accepts: ['output'],
    help: 'collect diagnostics in one file, without secrets [--output FILE]',
  },
}

const FLAGS: Record<Option, { name: string; type: 'string' | 'boolean' }> = {
  server: { name: 'server', type: 'string' },
  tokenFile: { name: 'token-file', type: 'string' },
  name: { name: 'name', type: 'string' },
  caFile: { name: 'ca-file', type: 'string' },
  spooler: { name: 'spooler', type: 'string' },
  agentHost: { name: 'agent-host', type: 'string' },
  insecure: { name: 'insecure', type: 'boolean' },
  output: { name: 'output', type: 'string' },
  json: { name: 'json', type: 'boolean' },
  trust: { name: 'trust', type: 'string' },
  printer: { name: 'printer', type: 'string' },
  autoUpdate: { name: 'auto-update', type: 'boolean' },
  allowNetworkPrinters: { name: 'allow-network-printers', type: 'boolean' },
  allowDowngrade: { name: 'allow-downgrade', type: 'boolean' },
}

/** @returns the exit code. All output is written by then. */
export async function runCommandLine(args: string[], io = processIo): Promise<number> {
  const [name = '', ...commandArgs] = args
  // `print` gets the failure of each line. Without a listener the event would end the process.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => undefined)
  if (name === '--version') return await print(manifest.version, io.stdout)
  if (['--help', '-h', 'help'].includes(name)) return await print(formatOverview(), io.stdout)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command)
    return await failUsage(name === '' ? formatOverview() : `Unknown command ${name}.\n\n${formatOverview()}`, io)
  if (commandArgs.includes('--help') || commandArgs.includes('-h'))
    return await print(formatUsage(name, command), io.stdout)
  try {
    return await command.run(parseOptions(command, commandArgs), io)
  } catch (error) {
    if (error instanceof UsageError) return await failUsage(`${error.message}\n${formatUsage(name, command)}`, io)
    if (error instanceof ConfigError) return await failUsage(error.message, io)
    await print(`${error instanceof Error ? error.message : String(error)}`, io.stderr)
    return EXIT.failed
  }
}

function parseOptions({ accepts }: Command, args: string[]): Options {
  const options = {
    'data-dir': { type: 'string' as const },
    ...Object.fromEntries(accepts.map((option) => [FLAGS[option].name, { type: FLAGS[option].type }])),
  }
  try {
    const values: Record<string, unknown> = parseArgs({ args, options }).values
    const parsed = Object.fromEntries(accepts.map((option) => [option, values[FLAGS[option].name]]))
    const dataDir = values['data-dir']
    if (dataDir === '') throw new Error('--data-dir must be the path of a directory.')
    return { ...parsed, dataDir: typeof dataDir === 'string' ? dataDir : defaultDataDir() }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function formatOverview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const lines = Object.entries(COMMANDS).map(([name, { help }]) => `  ${name.padEnd(width)}  ${help}`)
  return [
    `Platen agent ${manifest.version}: prints jobs of a Platen service on the printers of this computer.`,
    '',
    'Usage: platen-agent COMMAND [--data-dir DIR]',
    '',
    ...lines,
    '',
    describeDefaultDataDir(),
  ].join('\n')
}

function describeDefaultDataDir(): string {
  try {
    return `The default data directory is ${defaultDataDir()}.`
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

const formatUsage = (name: string, { help }: Command) => `Usage: platen-agent ${name} [--data-dir DIR]\n  ${help}`

async function failUsage(text: string, io: Io): Promise<number> {
  await print(text, io.stderr)
  return EXIT.usage
}
