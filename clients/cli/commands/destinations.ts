/** `platen destinations`: roles with several printers. */
import type { Destination, DestinationChanges, Platen } from '@platen/sdk'
import { type Command, Option } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { type Column, type OutputOptions, printFields, printRows } from '../output.ts'
import { collect, parseNonNegative, parsePositive } from '../parse.ts'
import { readFirst } from '../read-first.ts'

interface Settings extends OutputOptions {
  profile?: string
  limit: number
  name?: string
  printer?: string[]
  policy?: Destination['policy']
  standby?: number
  expire?: number
  enable?: boolean
  disable?: boolean
  end?: boolean
}

const COLUMNS: Column<Destination>[] = [
  { title: '#', get: ({ number }) => number },
  { title: 'name', get: ({ name }) => name },
  { title: 'policy', get: ({ policy, enabled }) => (enabled ? policy : 'disabled') },
  { title: 'waiting', get: ({ waitingJobs }) => waitingJobs },
  { title: 'next', get: (destination) => toNext(destination) },
]

/** The printer that would get the next job, or why the first one does not. */
function toNext({ printers, nextPrinterId }: Destination): string | null {
  const next = printers.find(({ printerId }) => printerId === nextPrinterId)
  return next ? next.name : (printers[0]?.reason ?? null)
}

const POLICIES = ['first', 'any']

export function addDestinations(program: Command): void {
  const destinations = program
    .command('destinations')
    .description('show and change roles with several printers; a destination is its name, its number or its id')
  const getSettings = (command: Command) => command.optsWithGlobals<Settings>()
  const addFields = (command: Command) =>
    command
      .option('-d, --printer <printer>', 'a printer, in the order of the options; can be repeated', collect)
      .addOption(new Option('--policy <policy>', 'the first available printer, or any').choices(POLICIES))
      .option('--standby <seconds>', 'how long earlier printers must be unavailable', parseNonNegative)
      .option('--expire <seconds>', 'how long its jobs wait', parsePositive)

  destinations
    .command('list')
    .description('all destinations')
    .option('-l, --limit <number>', 'how many', parsePositive, 500)
    .action(async (_, command: Command) => {
      const settings = getSettings(command)
      const list = connect(settings.profile).destinations.list({ limit: Math.min(settings.limit, 100) })
      printRows(await readFirst(list, settings.limit), COLUMNS, settings)
    })
  destinations
    .command('show')
    .description('one destination, with what each of its printers does now')
    .argument('<destination>')
    .action(async (name: string, _, command: Command) => {
      const settings = getSettings(command)
      show(await findDestination(connect(settings.profile), name), settings)
    })
  addFields(destinations.command('create').description('create a destination').argument('<name>')).action(
    async (name: string, _, command: Command) => await create(name, getSettings(command)),
  )
  addFields(destinations.command('set').description('change a destination').argument('<destination>'))
    .option('--name <name>', 'its new name')
    .option('--enable', 'accept jobs')
    .option('--disable', 'accept no jobs')
    .action(async (name: string, _, command: Command) => await set(name, getSettings(command)))
  destinations
    .command('delete')
    .description('delete a destination')
    .argument('<destination>')
    .option('--end', 'end the jobs that wait')
    .action(async (name: string, _, command: Command) => {
      const { profile, end } = getSettings(command)
      const platen = connect(profile)
      const { id } = await findDestination(platen, name)
      await platen.destinations.delete(id, end ? { waitingJobs: 'end' } : {})
    })
}

function show(destination: Destination, settings: OutputOptions): void {
  const printers = destination.printers.map(({ name, reason }) => `${name}: ${reason ?? 'available'}`)
  printFields(settings.json ? destination : { ...destination, printers: printers.join(', ') }, settings)
}

async function create(name: string, { printer = [], policy, standby, expire, ...settings }: Settings): Promise<void> {
  if (printer.length === 0) throw new Failure('A destination needs a printer. Use --printer.', EXIT.usage)
  const platen = connect(settings.profile)
  const request = { name, printers: await findPrinters(platen, printer), ...toFields({ policy, standby, expire }) }
  show(await platen.destinations.create(request), settings)
}

async function set(destination: string, { name, printer, enable, disable, ...settings }: Settings): Promise<void> {
  if (enable && disable) throw new Failure('--enable and --disable cannot be combined.', EXIT.usage)
  const platen = connect(settings.profile)
  const changes: DestinationChanges = {
    ...(name !== undefined && { name }),
    ...(printer && { printers: await findPrinters(platen, printer) }),
    ...toFields(settings),
    ...((enable || disable) && { enabled: enable === true }),
  }
  if (Object.keys(changes).length === 0)
    throw new Failure(
      'Nothing to change. Use --name, --printer, --policy, --standby, --expire, --enable or --disable.',
      EXIT.usage,
    )
  const { id } = await findDestination(platen, destination)
  show(await platen.destinations.update(id, changes), settings)
}

const toFields = ({ policy, standby, expire }: Pick<Settings, 'policy' | 'standby' | 'expire'>) => ({
  ...(policy !== undefined && { policy }),
  ...(standby !== undefined && { standbyAfter: standby }),
  ...(expire !== undefined && { expireAfter: expire }),
})

async function findPrinters(platen: Platen, names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await platen.printers.findId(name))
  return ids
}

/** A name has precedence over a number. */
async function findDestination(platen: Platen, text: string): Promise<Destination> {
  const all = await readFirst(platen.destinations.list({ limit: 100 }), Number.POSITIVE_INFINITY)
  const found = [
    ({ id }: Destination) => id === text.toLowerCase(),
    ({ name }: Destination) => name === text,
    ({ number }: Destination) => String(number) === text,
  ].flatMap((rule) => all.filter(rule))
  if (!found[0]) throw new Failure(`No destination has the name, number or id ${text}.`, EXIT.error)
  return found[0]
}
