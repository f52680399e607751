/** `platen print`, with the letters of `lp`. */
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describeOther, recognize } from '@platen/resources/document-format.ts'
import { TEST_TITLES } from '@platen/resources/test-titles.ts'
import {
  ApiError,
  ConnectionError,
  InvalidContent,
  type Platen,
  type PrintJob,
  type PrintOptions,
  TimeoutError,
} from '@platen/sdk'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure, getWorst } from '../exit-codes.ts'
import { printOne } from '../output.ts'
import { parseOptions, parsePair, parsePositive } from '../parse.ts'
import { waitForJob } from '../wait-for-job.ts'

interface PrintSettings {
  printer?: string
  destination?: string
  copies?: number
  pages?: string
  title?: string
  option?: PrintOptions
  meta?: Record<string, string>
  hold?: boolean
  notBefore?: string
  type?: 'pdf' | 'raw' | 'image'
  qty?: number
  expire?: number
  batch?: boolean
  idempotencyKey?: string
  wait?: boolean
  timeout?: number
  json?: boolean
  utc?: boolean
  profile?: string
}

/** A line for each. */
const OUTCOMES = Object.entries(TEST_TITLES)
  .map(([text, outcome]) => `  ${text.padEnd(16)}${outcome}`)
  .join('\n')

/** No progress is shown for smaller files. */
const PROGRESS_MIN_BYTES = 1024 * 1024

export function addPrint(program: Command): void {
  program
    .command('print')
    .description('print files, or standard input with -')
    .argument('<file...>')
    .option('-d, --printer <printer>', 'its name, the beginning of its name, its number or its id')
    .option('--destination <destination>', 'a role with several printers, in place of -d: its name, number or id')
    .option('-n, --copies <number>', 'copies', parsePositive)
    .option('-P, --pages <pages>', 'pages, for example 1-3,5')
    .option('-t, --title <title>', 'title of the job; default: the name of the file')
    .option('-o, --option <name=value>', 'an option, for example duplex=long-edge; can be repeated', parseOptions)
    .option('--meta <name=value>', 'a pair of metadata, for example order=4711; can be repeated', parsePair)
    .option('--type <type>', 'pdf, raw or image; default: by the content')
    .option('--qty <number>', 'how often the whole job is printed', parsePositive)
    .option('--expire <seconds>', 'how long the job waits for its computer', parsePositive)
    .option('--hold', 'hold the job until platen jobs release')
    .option('--not-before <time>', 'print it at this time at the earliest, for example 2026-03-02T18:00:00+01:00')
    .option('--batch', 'print the files in their order, without other jobs between them, or none of them')
    .option('--idempotency-key <key>', 'the same key prints the same job or batch once')
    .option('-w, --wait', 'wait until the job has ended, and explain the result')
    .option('--timeout <seconds>', 'the longest wait', parsePositive)
    .addHelpText(
      'after',
      `\nExit codes of --wait: 0 printed, 3 not printed, 4 maybe printed, 5 cancelled or expired, 6 timeout.\n\nIn test mode a text in the title chooses the outcome:\n${OUTCOMES}`,
    )
    .action(async (files: string[], _: unknown, command: Command) => {
      process.exitCode = await printFiles(files, command.optsWithGlobals<PrintSettings>())
    })
}

async function printFiles(files: string[], settings: PrintSettings): Promise<number> {
  if (settings.idempotencyKey !== undefined && files.length > 1 && !settings.batch)
    throw new Failure(
      '--idempotency-key is for one file or a --batch, because each job needs its own key otherwise.',
      EXIT.usage,
    )
  const platen = connect(settings.profile)
  const target = await findTarget(platen, settings)
  const codes: number[] = []
  const sent = settings.batch ? sendBatch(platen, target, files, settings) : sendEach(platen, target, files, settings)
  for await (const job of sent) {
    const number = (job as { number?: number | null }).number
    printOne(job, settings, ({ id, title }) =>
      process.stdout.isTTY ? `Print job ${number ? `#${number} ` : ''}${id}: ${title}` : id,
    )
    if (!settings.wait) continue
    const created = await platen.printJobs.get(job.id)
    codes.push(await waitForJob(platen, created, { ...settings, timeoutSeconds: settings.timeout }))
  }
  return getWorst(codes)
}

type Target = { printer: string } | { destination: string }

type Sent = Pick<PrintJob, 'id' | 'title'>

async function* sendEach(
  platen: Platen,
  target: Target,
  files: string[],
  settings: PrintSettings,
): AsyncGenerator<Sent> {
  for (const file of files) yield await send(platen, target, file, settings)
}

/** Their documents are read at once: together they have at most 25 MB. */
async function* sendBatch(
  platen: Platen,
  target: Target,
  files: string[],
  settings: PrintSettings,
): AsyncGenerator<Sent> {
  const jobs = []
  for (const file of files) {
    const bytes = Buffer.from(await (await openFile(file)).arrayBuffer())
    const recognized = recognize(bytes)
    const type = settings.type ?? recognized.format
    if (!type) throw new Failure(`${file}: ${describeOther(recognized)}.\nWith --type raw it is sent unchanged.`)
    jobs.push({
      ...('printer' in target ? { printerId: target.printer } : target),
      ...toFields(file, settings),
      contentType: `${type}_base64` as const,
      content: bytes.toString('base64'),
    })
  }
  const idempotencyKey = settings.idempotencyKey ?? randomUUID()
  yield* (await orUnknown(platen.printJobs.createBatch({ jobs }, { idempotencyKey }), idempotencyKey)).jobs
}

/** Without a name, the only printer. */
async function findTarget(platen: Platen, { printer: name, destination }: PrintSettings): Promise<Target> {
  if (name !== undefined && destination !== undefined)
    throw new Failure('--printer and --destination cannot be combined.', EXIT.usage)
  if (destination !== undefined) return { destination }
  if (name !== undefined) return { printer: await platen.printers.findId(name) }
  const { data } = await platen.printers.list({ limit: 2 }).page()
  const [only, ...others] = data
  if (only && others.length === 0) return { printer: only.id }
  throw new Failure('Name a printer with -d. `platen printers list` shows them.', EXIT.usage)
}

async function send(platen: Platen, target: Target, file: string, settings: PrintSettings): Promise<PrintJob> {
  const blob = await openFile(file)
  const { type } = settings
  const idempotencyKey = settings.idempotencyKey ?? randomUUID()
  const job = { ...target, ...toFields(file, settings), file: blob, contentType: type }
  const stopProgress = showProgress(blob.size)
  try {
    return await orUnknown(platen.printJobs.create(job, { idempotencyKey }), idempotencyKey)
  } catch (error) {
    if (error instanceof InvalidContent && type === undefined)
      throw new Failure(`${file}: ${error.message}\nWith --type raw it is sent unchanged.`)
    throw error
  } finally {
    stopProgress()
  }
}

/** The fields of a job besides its printer and its document. */
function toFields(file: string, settings: PrintSettings) {
  const { copies, pages, qty, expire, option, meta: metadata, hold, notBefore } = settings
  return {
    title: settings.title ?? (file === '-' ? 'stdin' : basename(file)),
    qty,
    expireAfter: expire,
    source: 'platen',
    options: { ...option, ...(copies && { copies }), ...(pages && { pages }) },
    metadata,
    hold,
    notBefore,
  }
}

/** @throws Failure with the key if it is unknown whether the creation has happened. */
async function orUnknown<Created>(creation: Promise<Created>, idempotencyKey: string): Promise<Created> {
  return await creation.catch((error: unknown) => {
    const isUnknown =
      error instanceof ConnectionError ||
      error instanceof TimeoutError ||
      (error instanceof ApiError && error.status >= 500)
    if (!isUnknown) throw error
    throw new Failure(
      `${error.message}\nIt is unknown whether the job exists. Repeat the command with --idempotency-key ${idempotencyKey}, which prints nothing twice.`,
      EXIT.maybePrinted,
    )
  })
}

async function openFile(file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)])
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is not a file')
    return await openAsBlob(file)
  } catch (error) {
    throw new Failure(`${file} is not readable: ${(error as Error).message}`)
  }
}

/** On a terminal, for large files. @returns a function that ends it. */
function showProgress(sizeBytes: number): () => void {
  if (!process.stderr.isTTY || sizeBytes < PROGRESS_MIN_BYTES) return () => undefined
  const startedAt = performance.now()
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`\r\u001b[KSending ${(sizeBytes / 1024 / 1024).toFixed(1)} MB … ${seconds} s`)
  }
  show()
  const timer = setInterval(show, 1000)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[K')
  }
}
