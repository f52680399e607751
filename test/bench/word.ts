/**
 * `npm run bench -- word`: what the word of a printer costs, for jobs of one sheet on simulated printers of 127.0.0.1.
 * The floor is the same printer without a language, which is never asked. CPU is that of the agent and the simulated
 * printer.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import { createRawDevice } from '../../agent/spoolers/network/raw-device.ts'
import { DRAWN } from '../../agent/spoolers/spooler.ts'
import type { Device } from '../devices/device.ts'
import { startEpson } from '../devices/epson.ts'
import { startSato } from '../devices/sato.ts'
import { startStar } from '../devices/star.ts'
import { startZebra } from '../devices/zebra.ts'
import { cpuMicroseconds } from './cpu.ts'
import { type Figures, percentiles, printTable } from './report.ts'

/** A label of 10 cm at 25 cm/s takes four times as long. */
const SHEET_MS = 100

const LABEL = '^XA^FO20,20^FDone^FS^XZ'
const RECEIPT = '\x1b@one\n\x1dVB\0'

type Language = RawLanguage | undefined

export async function benchWord(jobs: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const rounds: [string, Language, string, () => Promise<Device>][] = [
    ['not asked', undefined, LABEL, () => startZebra({ sheetMs: SHEET_MS })],
    ['ZPL', 'zpl', LABEL, () => startZebra({ sheetMs: SHEET_MS })],
    ['ESC/POS', 'escpos', RECEIPT, () => startEpson({ sheetMs: SHEET_MS, hasIds: true })],
    ['Star', 'star', '\x1b@one\n\x1bd\x03', () => startStar({ sheetMs: SHEET_MS, hasIds: true })],
    ['SATO', 'sbpl', '\x1bA\x1bSone\x1bZ', () => startSato({ sheetMs: SHEET_MS })],
  ]
  const figures: Figures = {}
  try {
    for (const [name, language, document, start] of rounds) {
      const device = await start()
      try {
        Object.assign(figures, await measure(name, device, { language, document, jobs, directory }))
      } finally {
        await device.stop()
      }
    }
  } finally {
    await rm(directory, { recursive: true })
  }
  printTable(figures)
}

interface Round {
  language: Language
  document: string
  jobs: number
  directory: string
}

async function measure(name: string, device: Device, { language, document, jobs, directory }: Round): Promise<Figures> {
  const file = join(directory, 'document')
  await writeFile(file, document, 'latin1')
  const printer = createRawDevice({ name, uri: device.uri }, { dir: directory, getLanguage: () => language })
  const beforeFirstByte: number[] = []
  const afterPaper: number[] = []

  async function print(): Promise<void> {
    const count = device.sheets.length
    const startedAt = performance.now()
    const job = { qty: 1, contentType: DRAWN } as Parameters<typeof printer.print>[0]
    await printer.print(job, {
      file,
      begin: async () => void beforeFirstByte.push(performance.now() - startedAt),
      report: () => undefined,
      signal: new AbortController().signal,
    })
    const endedAt = performance.now()
    // The job of a printer that is not asked ends before its sheet is out.
    const sheet = language ? device.sheets[count] : undefined
    if (language && !sheet) throw new Error(`${name} confirmed a job before its sheet was out`)
    if (sheet) afterPaper.push(endedAt - sheet.atMs)
  }

  // The printer is asked for the first time.
  await print()
  beforeFirstByte.length = 0
  afterPaper.length = 0
  const before = await readCpu()
  const startedAt = performance.now()
  for (let n = 0; n < jobs; n++) await print()
  while (device.sheets.length < jobs + 1) await sleep(SHEET_MS)
  const minutes = ((device.sheets.at(-1)?.atMs ?? Number.NaN) - startedAt) / 60_000
  const cpuUs = (await readCpu()) - before
  return {
    ...percentiles(`${name}: before the first byte`, beforeFirstByte, [50, 99]),
    ...(language && percentiles(`${name}: after the paper`, afterPaper, [50, 99])),
    [`${name}: sheets a minute`]: Math.round(jobs / minutes),
    [`${name}: CPU ms a job`]: Number((cpuUs / 1000 / jobs).toFixed(1)),
  }
}

const readCpu = async () => (await cpuMicroseconds({ agent: process.pid })).agent ?? Number.NaN
