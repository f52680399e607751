/**
 * Converts what CUPS reports about a queue to `capabilities` (docs/reference/printers.md#capabilities). CUPS loses some values of driverless
 * devices (speed, resolutions, copies); these are queried from the device (docs/agent-platforms.md#capabilities-on-cups).
 */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import type { IppAttributes, IppRange, IppValue } from '../../ipp/attributes.ts'
import { isRange, isRecord, isResolution } from '../../ipp/attributes.ts'
import { mediaSizes } from './media-names.ts'

export type Capabilities = MessageInitShape<typeof PrinterCapabilitiesSchema>

/** What has to be asked for. */
export const CAPABILITY_ATTRIBUTES = [
  'color-supported',
  'copies-supported',
  'media-size-supported',
  'media-source-supported',
  'media-supported',
  'media-type-supported',
  'multiple-document-handling-supported',
  'number-up-supported',
  'pages-per-minute',
  'printer-make-and-model',
  'printer-resolution-supported',
  'sides-supported',
]

/** Of the device alone. */
export const DEVICE_ATTRIBUTES = ['copies-supported', 'pages-per-minute', 'printer-resolution-supported']

/** Of one list: a device that says more shall not make the report too long to be sent. */
const MAX_CHOICES = 500

const DPI_PER_DPCM = 2.54
const HUNDREDTHS_PER_TENTH = 10

/** What CUPS says of a queue that passes documents on as they are. */
const RAW_MODEL = 'Local Raw Printer'

export const isRaw = (queue: IppAttributes) => queue['printer-make-and-model']?.[0] === RAW_MODEL

/**
 * @param queue what CUPS says; of a printer without a queue what the device says.
 * @param device what the device says, as far as it could be asked.
 */
export function toCapabilities(queue: IppAttributes, device?: IppAttributes): Capabilities {
  if (isRaw(queue)) return RAW_CAPABILITIES
  const extent = toExtent(queue)
  return {
    papers: mediaSizes(queue)
      .slice(0, MAX_CHOICES)
      .map(({ name, width, height }) => ({ name, size: { width, height } })),
    bins: keywords(queue['media-source-supported']),
    dpis: toDpis(device?.['printer-resolution-supported'] ?? queue['printer-resolution-supported']),
    medias: keywords(queue['media-type-supported']),
    extent,
    printrate: toPrintRate(queue, device),
    duplex: keywords(queue['sides-supported']).some((sides) => sides.startsWith('two-sided-')),
    color: queue['color-supported']?.[0] === true,
    collate: keywords(queue['multiple-document-handling-supported']).includes('separate-documents-collated-copies'),
    copies: highest(device?.['copies-supported'] ?? queue['copies-supported']) ?? 1,
    nup: toNup(queue['number-up-supported']),
    supportsCustomPaperSize: extent !== undefined,
  }
}

/** Jobs with options are for queues that heed them. */
const RAW_CAPABILITIES: Capabilities = {
  papers: [],
  bins: [],
  dpis: [],
  medias: [],
  duplex: false,
  color: false,
  collate: false,
  copies: 1,
  nup: [1],
  supportsCustomPaperSize: false,
}

/** The range of sizes that are not named one by one; inwards to tenths, so that both ends are taken. */
function toExtent({ 'media-size-supported': sizes = [] }: IppAttributes): Capabilities['extent'] {
  const ranges = sizes.flatMap((size) => {
    const { 'x-dimension': [x] = [], 'y-dimension': [y] = [] } = (isRecord(size) ? size : {}) as IppAttributes
    const [width, height] = [toRange(x), toRange(y)]
    return width && height && (isRange(x) || isRange(y)) ? [{ width, height }] : []
  })
  if (ranges.length === 0) return undefined
  const smallest = (side: 'width' | 'height') =>
    Math.ceil(Math.min(...ranges.map((range) => range[side].lower)) / HUNDREDTHS_PER_TENTH)
  const largest = (side: 'width' | 'height') =>
    Math.floor(Math.max(...ranges.map((range) => range[side].upper)) / HUNDREDTHS_PER_TENTH)
  return {
    min: { width: smallest('width'), height: smallest('height') },
    max: { width: largest('width'), height: largest('height') },
  }
}

function toRange(value: IppValue | undefined): IppRange | undefined {
  if (typeof value === 'number') return { lower: value, upper: value }
  return isRange(value) ? value : undefined
}

function toDpis(values: IppValue[] = []): string[] {
  const dpis = values.filter(isResolution).map(({ x, y, unit }) => {
    const dots = (perUnit: number) => Math.round(unit === 'dpi' ? perUnit : perUnit * DPI_PER_DPCM)
    return `${dots(x)}x${dots(y)}`
  })
  return [...new Set(dpis)].slice(0, MAX_CHOICES)
}

/** CUPS says 1 of each queue whose speed it does not know. */
function toPrintRate(queue: IppAttributes, device: IppAttributes | undefined): Capabilities['printrate'] {
  const [own] = device?.['pages-per-minute'] ?? []
  const [queues] = queue['pages-per-minute'] ?? []
  const rate = typeof own === 'number' ? own : typeof queues === 'number' && queues > 1 ? queues : 0
  return rate > 0 ? { rate, unit: 'ppm' } : undefined
}

/** Those that the interface knows, since a device may say any range. */
function toNup(values: IppValue[] = []): number[] {
  const nup = NUP.filter((number) => values.some((value) => includes(value, number)))
  return nup.length > 0 ? nup : [1]
}

const NUP = [1, 2, 4, 6, 8, 9, 10, 12, 16, 25, 32]

function includes(value: IppValue, number: number): boolean {
  const range = toRange(value)
  return range !== undefined && range.lower <= number && number <= range.upper
}

function highest(values: IppValue[] = []): number | undefined {
  const [upper] = values.flatMap((value) => toRange(value)?.upper ?? [])
  return upper !== undefined && upper >= 1 ? upper : undefined
}

function keywords(values: IppValue[] = []): string[] {
  const strings = values.filter((value) => typeof value === 'string' && /^\P{Cc}+$/u.test(value))
  return [...new Set(strings as string[])].slice(0, MAX_CHOICES)
}
