/** The CUPS driver with the CUPS server that the tests share. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { type DeviceKind, type PrintedDocument, startDevice, type TestDevice } from '../../../test/cups/device.ts'
import { readUrf } from '../../../test/cups/read-urf.ts'
import { addDriverless, type CupsAddress, runCupsCommand } from '../../../test/cups/start-cups.ts'
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import { createCupsSpooler } from '../../spoolers/cups/cups-spooler.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import type { Spooler, SpoolerState, Submission } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'

/** The ipp backend needs one or two seconds per job, and much longer on a busy machine. */
export const PRINT_TIMEOUT_MS = 60_000

export const hasCups = inject('cups') !== null

/** Valid only if `hasCups`. */
export const cups = inject('cups') as CupsAddress

export const run = (program: string, ...args: string[]) => runCupsCommand(cups, program, ...args)

let queues = 0
export const createQueueName = () => `Test_${process.pid}_${queues++}`

/** Starts a device with a queue for all tests of a file. */
export function useDevice(kind: DeviceKind) {
  const printer = { queue: createQueueName(), device: undefined as unknown as TestDevice }
  beforeAll(async () => {
    const directory = join(cups.directory, printer.queue)
    printer.device = await startDevice(kind, printer.queue, directory, cups.busSocketPath)
    await addDriverless(cups, printer.queue, kind, printer.device.uri)
  })
  afterAll(async () => {
    await run('lpadmin', '-x', printer.queue)
    await printer.device.stop()
  })
  return printer
}

/** Devices of a kind that print at the same time, because a job takes a second on each. */
export const useDevices = (kind: DeviceKind, count: number) => Array.from({ length: count }, () => useDevice(kind))

/** Adds a queue without a driver for the current test. @returns its name. */
export async function addRawQueue(uri: string, ...more: string[]): Promise<string> {
  const queue = createQueueName()
  await run('lpadmin', '-p', queue, '-E', '-v', uri, ...(more.length > 0 ? more : ['-m', 'raw']))
  // The test may have removed it.
  onTestFinished(async () => void (await run('lpadmin', '-x', queue).catch(() => undefined)))
  return queue
}

export function openSpooler(socketPath = cups.socketPath, wrap = (client: IppClient) => client): Spooler {
  const client = openIppClient({ url: 'http://localhost/', socketPath })
  onTestFinished(() => client.close())
  return inspectPdfs(createCupsSpooler(wrap(client)))
}

export function createSubmission(
  printerOsName: string,
  { document = buildPdf(), ...changes }: Partial<Submission> & { document?: Buffer } = {},
): Submission {
  const file = join(makeDataDir(), 'document')
  writeFileSync(file, document)
  const job = { token: randomUUID(), title: 'Invoice', printerOsName, file, contentType: 'pdf_base64', qty: 1 }
  return { ...job, options: {}, ...changes }
}

export async function collectStates(spooler: Spooler, spoolerJobId: string): Promise<SpoolerState[]> {
  const states: SpoolerState[] = []
  for await (const state of spooler.watch(spoolerJobId, AbortSignal.timeout(PRINT_TIMEOUT_MS))) states.push(state)
  return states
}

/** Submits and releases a job, and waits for its end. */
export async function print(spooler: Spooler, job: Submission) {
  const { spoolerJobId, warnings } = await spooler.submitHeld(job)
  await spooler.release(spoolerJobId)
  const states = await collectStates(spooler, spoolerJobId)
  return { spoolerJobId, warnings, states, end: states.at(-1) }
}

/** The number of pages and the position of the mark on the first page. */
export function inspectPrint({ file, bytes }: PrintedDocument) {
  if (bytes.toString('latin1', 0, 7) === 'UNIRAST') return { pages: 1, ...findMark(readUrf(bytes)) }
  const info = execFileSync('pdfinfo', [file]).toString()
  const raster = execFileSync('pdftoppm', ['-gray', '-r', '20', '-f', '1', '-l', '1', file])
  const [, size = '', , ...rest] = raster.toString('latin1').split('\n')
  const [width = 0, height = 0] = size.split(' ').map(Number)
  const pages = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1])
  return { pages, ...findMark({ width, height, pixels: Buffer.from(rest.join('\n'), 'latin1') }) }
}

const BLACK_BELOW = 60

function findMark({ width, height, pixels }: { width: number; height: number; pixels: Buffer }) {
  const black = [...pixels.keys()].filter((at) => (pixels[at] ?? 255) < BLACK_BELOW)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    isPortrait: height > width,
    /** The centre and the side of the black square, as fractions of the sheet. */
    mark: {
      x: mean(black.map((at) => (at % width) / width)),
      y: mean(black.map((at) => Math.floor(at / width) / height)),
      size: Math.sqrt(black.length / (width * height)),
    },
  }
}
