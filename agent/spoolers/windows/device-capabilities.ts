/**
 * Reads the `capabilities` of a printer from its driver (docs/reference/printers.md#capabilities). Drivers return inconsistent values: related
 * lists of different lengths, sizes of 0, duplicate names. Such values are omitted and do not affect the others.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { textAt } from './strings.ts'
import type { PrinterInfo, Winspool } from './winspool.ts'

/** Of wingdi.h. */
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

/** In DC_PAPERS: takes papers of any size. */
const DMPAPER_USER = 256

const PAPER_NAME_UNITS = 64
const BIN_NAME_UNITS = 24
const MEDIA_NAME_UNITS = 64

/** By PRINTRATEUNIT_…. */
const RATE_UNITS: Record<number, string> = { 1: 'ppm', 2: 'cps', 3: 'lpm', 4: 'ipm' }

/** No driver has more of one kind: one that says so is wrong about all of it. */
const ITEMS_MAX = 4096

/** Some drivers write more than they said they would. */
const SLACK_BYTES = 4096

/** Tenths of a millimetre: what drivers say of a roll, which has no end (the largest number that fits, or about that). */
const ENDLESS = 32_767

export interface DriverOffer {
  capabilities: MessageInitShape<typeof PrinterCapabilitiesSchema>
  /** By the names that were reported: what a DEVMODEW calls them. */
  paperIds: ReadonlyMap<string, number>
  binIds: ReadonlyMap<string, number>
}

type Printer = Pick<PrinterInfo, 'name' | 'port'>

export async function readOffer(winspool: Winspool, printer: Printer): Promise<DriverOffer> {
  const number = (capability: number) => winspool.deviceCapabilities(printer, capability)
  const list = (capability: number, itemBytes: number) => readList(winspool, printer, capability, itemBytes)

  const paperNames = texts(await list(DC.PAPERNAMES, PAPER_NAME_UNITS * 2), PAPER_NAME_UNITS)
  const paperIds = (await list(DC.PAPERS, 2)).map((item) => item.readUInt16LE())
  const sizes = (await list(DC.PAPERSIZE, 8)).map((item) => ({
    width: length(item.readInt32LE(0)),
    height: length(item.readInt32LE(4)),
  }))
  const papers = firstOfEachName(
    paperNames.map((name, index) => ({ name, size: sizes[index], id: paperIds[index] })),
  ).filter(({ size }) => size?.width !== undefined || size?.height !== undefined)

  const binNames = texts(await list(DC.BINNAMES, BIN_NAME_UNITS * 2), BIN_NAME_UNITS)
  const binIds = (await list(DC.BINS, 2)).map((item) => item.readUInt16LE())
  const bins = firstOfEachName(binNames.map((name, index) => ({ name, id: binIds[index] })))

  const dpis = (await list(DC.ENUMRESOLUTIONS, 8))
    .map((item) => [item.readInt32LE(0), item.readInt32LE(4)] as const)
    .filter(([x, y]) => x > 0 && y > 0)
    .map(([x, y]) => `${x}x${y}`)
  const medias = texts(await list(DC.MEDIATYPENAMES, MEDIA_NAME_UNITS * 2), MEDIA_NAME_UNITS)
  const nup = (await list(DC.NUP, 4)).map((item) => item.readUInt32LE()).filter((pages) => pages > 0 && pages <= 1024)
  const minimum = extent(await number(DC.MINEXTENT))
  const maximum = extent(await number(DC.MAXEXTENT))

  return {
    capabilities: {
      papers: papers.map(({ name, size }) => ({ name, size })),
      bins: bins.map(({ name }) => name),
      dpis: [...new Set(dpis)],
      medias: [...new Set(medias)].filter((name) => name !== ''),
      extent: minimum && maximum ? { min: minimum, max: maximum } : undefined,
      printrate: await printRate(number),
      duplex: (await number(DC.DUPLEX)) === 1,
      color: (await number(DC.COLORDEVICE)) === 1,
      collate: (await number(DC.COLLATE)) === 1,
      copies: Math.max(1, await number(DC.COPIES)),
      // Each printer puts one page on a sheet.
      nup: nup.length === 0 ? [1] : [...new Set(nup)],
      supportsCustomPaperSize: paperIds.includes(DMPAPER_USER),
    },
    paperIds: toIds(papers),
    binIds: toIds(bins),
  }
}

/** The items of a list; none when the driver does not know the capability. */
async function readList(
  winspool: Winspool,
  printer: Printer,
  capability: number,
  itemBytes: number,
): Promise<Buffer[]> {
  const count = await winspool.deviceCapabilities(printer, capability)
  if (count <= 0 || count > ITEMS_MAX) return []
  const output = Buffer.alloc(count * itemBytes + SLACK_BYTES)
  const given = Math.min(count, await winspool.deviceCapabilities(printer, capability, output))
  return Array.from({ length: Math.max(0, given) }, (_, index) =>
    output.subarray(index * itemBytes, (index + 1) * itemBytes),
  )
}

const texts = (items: Buffer[], units: number) => items.map((item) => textAt(item, 0, units))

/** Tenths of a millimetre; undefined for none. */
const length = (value: number) => (value > 0 && value < ENDLESS ? value : undefined)

/** @param packed width in the lower and height in the upper half. */
function extent(packed: number): { width: number; height: number } | undefined {
  if (packed === -1 || packed === 0) return undefined
  return { width: packed & 0xffff, height: packed >>> 16 }
}

async function printRate(number: (capability: number) => Promise<number>) {
  const rate = await number(DC.PRINTRATE)
  const unit = RATE_UNITS[await number(DC.PRINTRATEUNIT)]
  if (rate > 0 && unit) return { rate, unit }
  const pagesPerMinute = await number(DC.PRINTRATEPPM)
  return pagesPerMinute > 0 ? { rate: pagesPerMinute, unit: 'ppm' } : undefined
}

function firstOfEachName<T extends { name: string }>(items: T[]): T[] {
  const seen = new Set([''])
  return items.filter(({ name }) => !seen.has(name) && seen.add(name))
}

const toIds = (items: { name: string; id?: number }[]) =>
  new Map(items.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const])))
