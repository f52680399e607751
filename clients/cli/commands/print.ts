/** `platen print`, with the letters of `lp`. */
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
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
    .option('--idempotency-key <key>', 'the same key prints the same job once')
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
  if (settings.idempotencyKey !== undefined && files.length > 1)
    throw new Failure('--idempotency-key is for one file, because each job needs its own key.', EXIT.usage)
  const platen = connect(settings.profile)
  const printer = await findPrinter(platen, settings.printer)
  const codes: number[] = []
  for (const file of files) {
    const job = await send(platen, printer, file, settings)
    const number = (job as { number?: number | null }).number
    printOne(job, settings, ({ id, title }) =>
      process.stdout.isTTY ? `Print job ${number ? `#${number} ` : ''}${id}: ${title}` : id,
    )
    codes.push(
      settings.wait ? await waitForJob(platen, job, { ...settings, timeoutSeconds: settings.timeout }) : EXIT.done,
    )
  }
  return getWorst(codes)
}

/** Without a name, the only printer. */
async function findPrinter(platen: Platen, name: string | undefined): Promise<string> {
  if (name !== undefined) return await platen.printers.findId(name)
  const { data } = await platen.printers.list({ limit: 2 }).page()
  const [only, ...others] = data
  if (only && others.length === 0) return only.id
  throw new Failure('Name a printer with -d. `platen printers list` shows them.', EXIT.usage)
}

async function send(platen: Platen, printer: string, file: string, settings: PrintSettings): Promise<PrintJob> {
  const blob = await openFile(file)
  const { copies, pages, type, qty, expire, option, meta: metadata, hold, notBefore } = settings
  const title = settings.title ?? (file === '-' ? 'stdin' : basename(file))
  const idempotencyKey = settings.idempotencyKey ?? randomUUID()
  const options = { ...option, ...(copies && { copies }), ...(pages && { pages }) }
  const job = {
    printer,
    title,
    file: blob,
    contentType: type,
    qty,
    expireAfter: expire,
    source: 'platen',
    options,
    metadata,
    hold,
    notBefore,
  }
  const stopProgress = showProgress(blob.size)
  try {
    return await platen.printJobs.create(job, { idempotencyKey })
  } catch (error) {
    if (error instanceof InvalidContent && type === undefined)
      throw new Failure(`${file}: ${error.message}\nWith --type raw it is sent unchanged.`)
    const isUnknown =
      error instanceof ConnectionError ||
      error instanceof TimeoutError ||
      (error instanceof ApiError && error.status >= 500)
    if (!isUnknown) throw error
    throw new Failure(
      `${error.message}\nIt is unknown whether the job exists. Repeat the command with --idempotency-key ${idempotencyKey}, which prints nothing twice.`,
      EXIT.maybePrinted,
    )
  } finally {
    stopProgress()
  }
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
