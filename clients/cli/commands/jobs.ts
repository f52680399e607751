import type { Platen, PrintJob, Query } from '@platen/sdk'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure, getWorst } from '../exit-codes.ts'
import { type Column, formatAge, type OutputOptions, printFields, printOne, printRows } from '../output.ts'
import { collect, parsePair, parsePositive } from '../parse.ts'
import { followAndPrint, printEvent } from '../print-event.ts'
import { readFirst } from '../read-first.ts'
import { showExplanation, toExitCode, waitForJob } from '../wait-for-job.ts'

interface Settings extends OutputOptions {
  profile?: string
  printer?: string
  computer?: string
  destination?: string
  source?: string
  meta?: Record<string, string>
  batch?: string
  query?: string
  state?: NonNullable<Query<'listPrintJobs'>['state']>
  limit: number
  timeout?: number
  title?: string
  wait?: boolean
}

/** @param names of printers, by id. A removed printer has none. */
const getColumns = (options: OutputOptions, names: Map<string, string>): Column<PrintJob>[] => [
  { title: '#', get: ({ number, id }) => number ?? id },
  { title: 'state', get: ({ state }) => state },
  { title: 'printer', get: ({ printerId }) => names.get(printerId) },
  { title: 'title', get: ({ title }) => title },
  { title: 'age', get: ({ createdAt }) => formatAge(createdAt, options) },
]

export function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('show and change print jobs; a job is its number or its id')
  const add = (usage: string, description: string, run: (settings: Settings, ...args: string[]) => Promise<void>) =>
    jobs
      .command(usage)
      .description(description)
      .action((...args: unknown[]) => {
        const command = args.at(-1) as Command
        return run(command.optsWithGlobals<Settings>(), ...command.args)
      })

  add('list', 'the newest jobs', list)
    .option('-d, --printer <printer>', 'only of this printer')
    .option('--computer <computer>', 'only of this computer: its number or its id')
    .option('--destination <destination>', 'only of this destination: its number or its id')
    .option('--source <source>', 'only of this source')
    .option('--meta <name=value>', 'only with this pair of metadata; can be repeated', parsePair)
    .option('--batch <batch>', 'only of this batch')
    .option(
      '-q, --query <text>',
      'only jobs that the text finds: title, number, source, metadata, printer; without other filters',
    )
    .option('-s, --state <state>', 'only in this state; can be repeated', collect)
    .option('-l, --limit <number>', 'how many', parsePositive, 25)
  add('show <job>', 'one job and why it was printed or not', show)
  add('wait <job...>', 'wait until jobs have ended; exit codes as those of print --wait', wait).option(
    '--timeout <seconds>',
    'the longest wait',
    parsePositive,
  )
  add('cancel <job...>', 'cancel jobs that no computer has received', cancel)
  add('cancel-batch <batch...>', 'cancel the jobs of batches that no computer has received', cancelBatch)
  add('release <job...>', 'print jobs that were created with --hold', release)
  add('reprint <job>', 'print the stored document of a job again, as a new job', reprint)
    .option('-d, --printer <printer>', 'another printer')
    .option('-t, --title <title>', 'another title')
    .option('-w, --wait', 'wait until the job has ended, and explain the result')
    .option('--timeout <seconds>', 'the longest wait', parsePositive)
  add('watch [job]', 'the events of one job until it ends, or of all jobs', watch)
}

async function list({
  printer,
  computer,
  destination: destinationId,
  source,
  meta: metadata,
  batch: batchId,
  query: q,
  state,
  limit,
  ...settings
}: Settings): Promise<void> {
  const platen = connect(settings.profile)
  const printerId = printer === undefined ? undefined : await platen.printers.findId(printer)
  const computerId = computer === undefined ? undefined : (await platen.computers.get(computer)).id
  const query = {
    ...{ printerId, computerId, destinationId, batchId, source, metadata, q, state },
    limit: Math.min(limit, 100),
  }
  const found = await readFirst(platen.printJobs.list(query), limit)
  const names = settings.json ? new Map() : await readPrinterNames(platen, found)
  printRows(found, getColumns(settings, names), settings)
}

/** Reads as few pages of the printers as the jobs need. */
async function readPrinterNames(platen: Platen, jobs: PrintJob[]): Promise<Map<string, string>> {
  const missing = new Set(jobs.map(({ printerId }) => printerId))
  const names = new Map<string, string>()
  if (missing.size === 0) return names
  for await (const { id, displayName } of platen.printers.list({ limit: 100 })) {
    if (missing.delete(id)) names.set(id, displayName)
    if (missing.size === 0) break
  }
  return names
}

async function show(settings: Settings, id = ''): Promise<void> {
  const job = await connect(settings.profile).printJobs.get(id)
  printFields(job, settings)
  if (!settings.json) showExplanation(await job.explanation())
}

async function wait(settings: Settings, ...ids: string[]): Promise<void> {
  const platen = connect(settings.profile)
  const codes: number[] = []
  for (const id of ids) {
    const job = await platen.printJobs.get(id)
    codes.push(await waitForJob(platen, job, { ...settings, timeoutSeconds: settings.timeout }))
    if (settings.json) printOne(await platen.printJobs.get(job.id), settings, String)
  }
  process.exitCode = getWorst(codes)
}

async function cancel(settings: Settings, ...ids: string[]): Promise<void> {
  const platen = connect(settings.profile)
  for (const id of ids) printOne(await platen.printJobs.cancel(id), settings, (job) => job.state)
}

async function cancelBatch(settings: Settings, ...ids: string[]): Promise<void> {
  const platen = connect(settings.profile)
  for (const id of ids)
    printOne(
      await platen.printJobs.cancelBatch(id),
      settings,
      ({ cancelled, notCancelled }) => `${cancelled} cancelled, ${notCancelled} not`,
    )
}

async function release(settings: Settings, ...ids: string[]): Promise<void> {
  const platen = connect(settings.profile)
  for (const id of ids) printOne(await platen.printJobs.release(id), settings, (job) => job.state)
}

async function reprint(settings: Settings, id = ''): Promise<void> {
  const platen = connect(settings.profile)
  const original = await platen.printJobs.get(id)
  const printer = settings.printer ?? original.printerId
  const job = await platen.printJobs.create({
    printer,
    title: settings.title ?? original.title,
    reprintOf: original.id,
    source: 'platen',
    metadata: original.metadata,
  })
  printOne(job, settings, (created) => created.id)
  if (settings.wait) process.exitCode = await waitForJob(platen, job, { ...settings, timeoutSeconds: settings.timeout })
}

async function watch(settings: Settings, id?: string): Promise<void> {
  const platen = connect(settings.profile)
  if (id === undefined) return await followAndPrint(platen, { type: ['printjob.*'] }, settings)
  const job = await platen.printJobs.get(id)
  if (job.isFinal)
    throw new Failure(`The job has ended: ${job.state}. \`platen jobs show ${id}\` explains it.`, EXIT.error)
  for await (const event of platen.events.follow({ resourceId: job.id, after: null, type: ['printjob.*'] })) {
    printEvent(event, settings)
    if (!['printjob.done', 'printjob.error', 'printjob.cancelled', 'printjob.expired'].includes(event.type)) continue
    const ended = await platen.printJobs.get(job.id)
    process.exitCode = toExitCode(ended.state, await ended.explanation())
    return
  }
}
