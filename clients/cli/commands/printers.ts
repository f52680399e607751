import { findTestSize } from '@platen/resources/test-documents/find-test-size.ts'
import {
  detectDocument,
  TEST_DOCUMENTS,
  type TestDocument,
  toTestSubject,
} from '@platen/resources/test-documents/test-documents.ts'
import type { Printer, PrinterChanges } from '@platen/sdk'
import { type Command, Option } from 'commander'
import { connect, getAccess } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { type OutputOptions, printFields, printOne, printRows } from '../output.ts'
import { parseOptions, parsePositive } from '../parse.ts'
import { readFirst } from '../read-first.ts'
import { waitForJob } from '../wait-for-job.ts'

interface Settings extends OutputOptions {
  profile?: string
  limit: number
  name?: string
  remarks?: string
  enable?: boolean
  disable?: boolean
  default?: PrinterChanges['defaultOptions']
  language?: TestDocument
  timeout: number
}

const COLUMNS = [
  { title: 'id', get: ({ id }: Printer) => id },
  { title: 'state', get: ({ state, enabled }: Printer) => (enabled ? state : 'disabled') },
  { title: 'name', get: ({ displayName }: Printer) => displayName },
  { title: 'detail', get: ({ stateDetail }: Printer) => stateDetail || null },
]

export function addPrinters(program: Command): void {
  const printers = program.command('printers').description('show, change and test printers')
  const getSettings = (command: Command) => command.optsWithGlobals<Settings>()

  printers
    .command('list')
    .description('all printers')
    .option('-l, --limit <number>', 'how many', parsePositive, 1000)
    .action(async (_, command: Command) => {
      const settings = getSettings(command)
      const list = connect(settings.profile).printers.list({ limit: Math.min(settings.limit, 100) })
      printRows(await readFirst(list, settings.limit), COLUMNS, settings)
    })

  printers
    .command('show')
    .description('one printer, with what it can do')
    .argument('<printer>', 'its name, the beginning of its name, its number or its id')
    .action(async (name: string, _, command: Command) => {
      const settings = getSettings(command)
      printFields(await connect(settings.profile).printers.find(name), settings)
    })

  printers
    .command('set')
    .description('change a printer')
    .argument('<printer>')
    .option('--name <name>', 'its name for people')
    .option('--remarks <text>', 'your notes; empty removes them')
    .option('--enable', 'accept jobs')
    .option('--disable', 'accept no jobs')
    .option(
      '--default <name=value>',
      'a default option of its jobs; can be repeated, replaces all others',
      parseOptions,
    )
    .action(async (name: string, _, command: Command) => await set(name, getSettings(command)))

  printers
    .command('test')
    .description(
      'print a test page in the language of the printer, and explain the result; exit codes as those of print --wait',
    )
    .argument('<printer>')
    .addOption(
      new Option('--language <language>', 'default: by what the printer takes').choices(Object.keys(TEST_DOCUMENTS)),
    )
    .option('--timeout <seconds>', 'the longest wait', parsePositive, 120)
    .action(async (name: string, _, command: Command) => await test(name, getSettings(command)))
}

async function set(printer: string, { name, remarks, enable, disable, default: defaults, ...settings }: Settings) {
  if (enable && disable) throw new Failure('--enable and --disable cannot be combined.', EXIT.usage)
  const changes: PrinterChanges = {
    ...(name !== undefined && { displayName: name }),
    ...(remarks !== undefined && { remarks: remarks || null }),
    ...((enable || disable) && { enabled: enable === true }),
    ...(defaults && { defaultOptions: defaults }),
  }
  if (Object.keys(changes).length === 0)
    throw new Failure('Nothing to change. Use --name, --remarks, --enable, --disable or --default.', EXIT.usage)
  const platen = connect(settings.profile)
  printFields(await platen.printers.update(await platen.printers.findId(printer), changes), settings)
}

async function test(name: string, settings: Settings): Promise<void> {
  const platen = connect(settings.profile)
  const printer = await platen.printers.find(name)
  const language = settings.language ?? detectDocument(printer)
  const subject = toTestSubject(printer, new URL(getAccess(settings.profile).baseUrl).origin)
  const document = TEST_DOCUMENTS[language].make(subject, findTestSize(printer))
  const job = await platen.printJobs.create({
    printer: printer.id,
    title: `Test page of ${printer.displayName}`,
    source: 'platen',
    contentType: language === 'pdf' ? 'pdf' : 'raw',
    file: Buffer.from(document, 'latin1'),
  })
  printOne(job, settings, ({ id }) => id)
  process.exitCode = await waitForJob(platen, job, { ...settings, timeoutSeconds: settings.timeout })
}
