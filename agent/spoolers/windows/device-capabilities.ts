/**
 * Reads the `capabilities` of a printer from its driver (docs/reference/printers.md#capabilities). Drivers return
 * inconsistent values: related lists of different lengths, sizes of 0, duplicate names. Such values are omitted and do
 * not affect the others.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { PDF_AND_RAW } from '../raw-documents.ts'
import { DMPAPER_USER } from './devmode.ts'
import { readText } from './strings.ts'
import type { PrinterInfo, Winspool } from './winspool.ts'

/** DC_… of wingdi.h. */
export const DC = {
  PAPERS: 2,
  PAPERSIZE: 3,
  MINEXTENT: 4,
  MAXEXTENT: 5,
  BINS: 6,
  DUPLEX: 7,
  BINNAMES: 12,
  ENUMRESOLUTIONS: 13,
  PAPERNAMES: 16,
  COPIES: 18,
  COLLATE: 22,
  PRINTRATE: 26,
  PRINTRATEUNIT: 27,
  PRINTRATEPPM: 31,
  COLORDEVICE: 32,
  NUP: 33,
  MEDIATYPENAMES: 34,
} as const

const PAPER_NAME_UNITS = 64
const BIN_NAME_UNITS = 24
const MEDIA_NAME_UNITS = 64

/** Units by PRINTRATEUNIT_…. */
const RATE_UNITS: Record<number, string> = { 1: 'ppm', 2: 'cps', 3: 'lpm', 4: 'ipm' }

/** A longer list is an error of the driver and is ignored. */
const ITEMS_MAX = 4096

/** Additional space, because some drivers write more items than they reported. */
const SLACK_BYTES = 4096

/** Tenths of a millimetre. Drivers report about this maximum as the length of a roll. */
const ROLL_LENGTH = 32_767

export interface DriverOffer {
  capabilities: MessageInitShape<typeof PrinterCapabilitiesSchema>
  /** DMPAPER_… values by reported name. */
  paperIds: ReadonlyMap<string, number>
  /** DMBIN_… values by reported name. */
  binIds: ReadonlyMap<string, number>
}

type Printer = Pick<PrinterInfo, 'name' | 'port'>

export async function readOffer(winspool: Winspool, printer: Printer): Promise<DriverOffer> {
  const getNumber = (capability: number) => winspool.deviceCapabilities(printer, capability)
  const getList = (capability: number, itemBytes: number) => readList(winspool, printer, capability, itemBytes)

  const paperNames = toTexts(await getList(DC.PAPERNAMES, PAPER_NAME_UNITS * 2), PAPER_NAME_UNITS)
  const paperIds = (await getList(DC.PAPERS, 2)).map((item) => item.readUInt16LE())
  const sizes = (await getList(DC.PAPERSIZE, 8)).map((item) => ({
    width: toLength(item.readInt32LE(0)),
    height: toLength(item.readInt32LE(4)),
  }))
  const papers = removeDuplicateNames(
    paperNames.map((name, index) => ({ name, size: sizes[index], id: paperIds[index] })),
  ).filter(({ size }) => size?.width !== undefined || size?.height !== undefined)

  const binNames = toTexts(await getList(DC.BINNAMES, BIN_NAME_UNITS * 2), BIN_NAME_UNITS)
  const binIds = (await getList(DC.BINS, 2)).map((item) => item.readUInt16LE())
  const bins = removeDuplicateNames(binNames.map((name, index) => ({ name, id: binIds[index] })))

  const dpis = (await getList(DC.ENUMRESOLUTIONS, 8))
    .map((item) => [item.readInt32LE(0), item.readInt32LE(4)] as const)
    .filter(([x, y]) => x > 0 && y > 0)
    .map(([x, y]) => `${x}x${y}`)
  const medias = toTexts(await getList(DC.MEDIATYPENAMES, MEDIA_NAME_UNITS * 2), MEDIA_NAME_UNITS)
  const nup = (await getList(DC.NUP, 4))
    .map((item) => item.readUInt32LE())
    .filter((pages) => pages > 0 && pages <= 1024)
  const minimum = toExtent(await getNumber(DC.MINEXTENT))
  const maximum = toExtent(await getNumber(DC.MAXEXTENT))

  return {
    capabilities: {
      papers: papers.map(({ name, size }) => ({ name, size })),
      bins: bins.map(({ name }) => name),
      dpis: [...new Set(dpis)],
      medias: [...new Set(medias)].filter((name) => name !== ''),
      extent: minimum && maximum ? { min: minimum, max: maximum } : undefined,
      printrate: await readPrintRate(getNumber),
      duplex: (await getNumber(DC.DUPLEX)) === 1,
      color: (await getNumber(DC.COLORDEVICE)) === 1,
      collate: (await getNumber(DC.COLLATE)) === 1,
      copies: Math.max(1, await getNumber(DC.COPIES)),
      // Every printer supports one page per sheet.
      nup: nup.length === 0 ? [1] : [...new Set(nup)],
      supportsCustomPaperSize: paperIds.includes(DMPAPER_USER),
      formats: PDF_AND_RAW,
    },
    paperIds: toIds(papers),
    binIds: toIds(bins),
  }
}

/** The items of a list; empty if the driver does not support the capability. */
async function readList(
  winspool: Winspool,
  printer: Printer,
  capability: number,
  itemBytes: number,
): Promise<Buffer[]> {
  const count = await winspool.deviceCapabilities(printer, capability)
  if (count <= 0 || count > ITEMS_MAX) return []
  const output = Buffer.alloc(count * itemBytes + SLACK_BYTES)
  const written = Math.min(count, await winspool.deviceCapabilities(printer, capability, output))
  return Array.from({ length: Math.max(0, written) }, (_, index) =>
    output.subarray(index * itemBytes, (index + 1) * itemBytes),
  )
}

const toTexts = (items: Buffer[], units: number) => items.map((item) => readText(item, 0, units))

/** Tenths of a millimetre; undefined for an invalid length and for a roll. */
const toLength = (value: number) => (value > 0 && value < ROLL_LENGTH ? value : undefined)

/** @param packed the width in the lower and the height in the upper 16 bits. */
function toExtent(packed: number): { width: number; height: number } | undefined {
  if (packed === -1 || packed === 0) return undefined
  return { width: packed & 0xffff, height: packed >>> 16 }
}

async function readPrintRate(getNumber: (capability: number) => Promise<number>) {
  const rate = await getNumber(DC.PRINTRATE)
  const unit = RATE_UNITS[await getNumber(DC.PRINTRATEUNIT)]
  if (rate > 0 && unit) return { rate, unit }
  const pagesPerMinute = await getNumber(DC.PRINTRATEPPM)
  return pagesPerMinute > 0 ? { rate: pagesPerMinute, unit: 'ppm' } : undefined
}

function removeDuplicateNames<T extends { name: string }>(items: T[]): T[] {
  const seen = new Set([''])
  return items.filter(({ name }) => !seen.has(name) && seen.add(name))
}

const toIds = (items: { name: string; id?: number }[]) =>
  new Map(items.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const])))
