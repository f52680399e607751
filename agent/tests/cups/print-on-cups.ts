/** The driver at a CUPS of tests. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import type { PrintedDocument } from '../../../test/cups/device.ts'
import { readUrf } from '../../../test/cups/read-urf.ts'
import { QUEUES, type TestCups } from '../../../test/cups/start-cups.ts'
import { openIppClient } from '../../ipp/client.ts'
import { createCupsSpooler } from '../../spoolers/cups/cups-spooler.ts'
import type { Spooler, SpoolerState, Submission } from '../../spoolers/spooler.ts'

/** Each job of a device takes the ipp backend one or two seconds, and much longer on a busy machine. */
export const PRINT_LIMIT_MS = 60_000

export function openSpooler(cups: TestCups) {
  const client = openIppClient({ url: 'http://localhost/', socketPath: cups.socketPath })
  onTestFinished(() => client.close())
  const spooler = createCupsSpooler(client)
  return { client, spooler }
}

export function submission(changes: Partial<Submission> & { document?: Buffer } = {}): Submission {
  const { document = buildPdf(), ...others } = changes
  const file = join(mkdtempSync(join(tmpdir(), 'platen-document-')), 'document')
  writeFileSync(file, document)
  return {
    token: randomUUID(),
    title: 'Invoice',
    printerOsName: QUEUES.laser,
    file,
    contentType: 'pdf_base64',
    qty: 1,
    options: {},
    ...others,
  }
}

export async function statesUntilEnd(spooler: Spooler, spoolerJobId: string): Promise<SpoolerState[]> {
  const states: SpoolerState[] = []
  for await (const state of spooler.watch(spoolerJobId, AbortSignal.timeout(PRINT_LIMIT_MS))) states.push(state)
  return states
}

/** Submits, releases and waits for the end. */
export async function print(spooler: Spooler, job: Submission) {
  const { spoolerJobId, warnings } = await spooler.submitHeld(job)
  await spooler.release(spoolerJobId)
  const states = await statesUntilEnd(spooler, spoolerJobId)
  return { spoolerJobId, warnings, states, end: states.at(-1) }
}

/** As a reader of the sheet sees it. */
export function look({ file, bytes }: PrintedDocument) {
  if (bytes.toString('latin1', 0, 7) === 'UNIRAST') return { pages: 1, ...markIn(readUrf(bytes)) }
  const info = execFileSync('pdfinfo', [file]).toString()
  const raster = execFileSync('pdftoppm', ['-gray', '-r', '20', '-f', '1', '-l', '1', file])
  const [, size = '', , ...rest] = raster.toString('latin1').split('\n')
  const [width = 0, height = 0] = size.split(' ').map(Number)
  const pages = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1])
  return { pages, ...markIn({ width, height, pixels: Buffer.from(rest.join('\n'), 'latin1') }) }
}

const BLACK_BELOW = 60

function markIn({ width, height, pixels }: { width: number; height: number; pixels: Buffer }) {
  const black = [...pixels.keys()].filter((at) => (pixels[at] ?? 255) < BLACK_BELOW)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    isPortrait: height > width,
    /** Where the middle of the black square is, and its side, in parts of the sheet. */
    mark: {
      x: mean(black.map((at) => (at % width) / width)),
      y: mean(black.map((at) => Math.floor(at / width) / height)),
      size: Math.sqrt(black.length / (width * height)),
    },
  }
}
