/**
 * `platen-agent verify-printer`: compares what a raw printer says with what its owner sees, and writes a report. It
 * prints four labels or receipts. Does not contact the service. The running agent can print meanwhile, so its jobs
 * should be done.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readSpoolerConfig } from '../config.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Device, FinalState, WordAnswer } from '../spoolers/network/device.ts'
import { openRawDevices } from '../spoolers/open-spooler.ts'
import { explainNotAsked } from '../spoolers/raster/raster-printer.ts'
import { DRAWN } from '../spoolers/spooler.ts'
import type { Io } from './io.ts'
import { type Options, UsageError } from './options.ts'
import { print } from './output.ts'

const CUT = '\x1dVB\0'
/** One label or receipt, by the question that the printer understands. */
const SAMPLES: Record<string, string> = {
  '~HS': '^XA^FO40,40^A0N,40,40^FDPlaten test^FS^XZ\n',
  'DLE EOT': `\x1b@Platen test\n\n${CUT}`,
  'ESC ACK SOH': '\x1b@Platen test\n\n\x1bd\x03',
  '@PJL INFO STATUS': '\x1bEPlaten test\r\n\f\x1bE',
  ENQ: '\x1bA\x1bH0050\x1bV0050\x1bL0202\x1bSPlaten test\x1bQ1\x1bZ',
}

interface Printed {
  copies: number
  /** What the printer said. */
  outcome: FinalState
  seconds: number
  faults: string[]
  /** What the owner has seen. */
  sheets: string
}

export async function verifyPrinter({ dataDir, printer, output }: Options, { stdin, stdout }: Io): Promise<number> {
  if (!printer) throw new UsageError('--printer NAME is required. `platen-agent printers` shows the names.')
  const config = await readSpoolerConfig(dataDir)
  const device = openRawDevices(config, dataDir).get(printer)
  if (!device) throw new UsageError(`No raw printer without a queue (socket:) is called "${printer}".`)
  const before = await device.askWord?.()
  if (!before) throw new UsageError(explainNotAsked(printer, config.rasterize))
  const lines = createInterface({ input: stdin })[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    await print(question, stdout)
    return ((await lines.next()).value ?? '').trim()
  }
  await print(`${printer}: ${describe(before)}`, stdout)
  const prints: Printed[] = []
  for (const copies of [1, 3]) {
    await print(`Printing ${copies} …`, stdout)
    const printed = await printSample(device, SAMPLES[before.question] ?? '', copies)
    await print(`The printer says: ${printed.outcome.confirmedBy ?? printed.outcome.message}.`, stdout)
    prints.push({ ...printed, sheets: await ask('How many labels or receipts came out? Type the number.') })
  }
  await ask('Open the cover of the printer, then press Enter.')
  const open = await device.askWord?.()
  await print(`The printer says: ${describe(open)}`, stdout)
  await ask('Close the cover, then press Enter.')
  const closed = await device.askWord?.()
  await print(`The printer says: ${describe(closed)}`, stdout)
  const model = await ask('Which make and model is it? Type it, or press Enter.')
  const file = output ?? `platen-printer-${new Date().toISOString().slice(0, 10)}.json`
  const report = { agent: manifest.version, at: new Date().toISOString(), model, before, prints, open, closed }
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
  return await print(`Wrote ${file}. It contains no addresses and no documents of yours.`, stdout)
}

function describe(answer: WordAnswer | undefined): string {
  if (answer?.answeredMs === undefined) return 'no answer'
  return `${answer.question} answered in ${answer.answeredMs} ms: ${answer.fault?.message ?? 'ready'}`
}

async function printSample(device: Device, sample: string, copies: number): Promise<Omit<Printed, 'sheets'>> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-verify-'))
  const file = join(directory, 'sample')
  const faults: string[] = []
  const startedAtMs = performance.now()
  try {
    await writeFile(file, sample, 'latin1')
    const job = { qty: copies, contentType: DRAWN } as Parameters<Device['print']>[0]
    const outcome = await device.print(job, {
      file,
      begin: async () => undefined,
      report: (message) => void (message && faults.push(message)),
      signal: new AbortController().signal,
    })
    return { copies, outcome, seconds: Math.round(performance.now() - startedAtMs) / 1000, faults }
  } finally {
    await rm(directory, { recursive: true })
  }
}
