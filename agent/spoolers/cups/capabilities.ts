/**
 * Converts what CUPS reports about a queue to `capabilities` (docs/reference/printers.md#capabilities). CUPS loses some
 * values of driverless devices (speed, resolutions, copies); these are queried from the device
 * (docs/agent-platforms.md#capabilities-on-cups).
 */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { IppAttributes, IppRange, IppValue } from '@platen/ipp/attributes.ts'
import { isRange, isRecord, isResolution } from '@platen/ipp/attributes.ts'
import { toMediaSizes } from '@platen/ipp/media-names.ts'
import type { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { RAW_ONLY } from '../raw-documents.ts'

export type Capabilities = MessageInitShape<typeof PrinterCapabilitiesSchema>

/** The attributes of a queue that `toCapabilities` reads. */
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

/** The attributes that are queried from the device as well. */
export const DEVICE_ATTRIBUTES = [
  'copies-supported',
  'media-col-default',
  'pages-per-minute',
  'printer-resolution-supported',
]

/** The maximum length of one list. A longer list could make the report too large to be sent. */
const MAX_CHOICES = 500

const DPI_PER_DPCM = 2.54
const HUNDREDTHS_PER_TENTH = 10

/** The model that CUPS reports for a queue without a driver, which sends documents unchanged. */
const RAW_MODEL = 'Local Raw Printer'

export const isRaw = (queue: IppAttributes) => queue['printer-make-and-model']?.[0] === RAW_MODEL

/**
 * @param queue the attributes of the queue, or those of the device for a printer without a queue.
 * @param device the attributes of the device, if it answered.
 * @param formats of a printer that is no raw queue, if they are known.
 */
export function toCapabilities(
  queue: IppAttributes,
  device?: IppAttributes,
  formats?: Capabilities['formats'],
): Capabilities {
  if (isRaw(queue)) return RAW_CAPABILITIES
  const extent = toExtent(queue)
  return {
    papers: toMediaSizes(queue)
      .slice(0, MAX_CHOICES)
      .map(({ name, width, height }) => ({ name, size: { width, height } })),
    bins: toKeywords(queue['media-source-supported']),
    dpis: toDpis(device?.['printer-resolution-supported'] ?? queue['printer-resolution-supported']),
    medias: toKeywords(queue['media-type-supported']),
    extent,
    printrate: toPrintRate(queue, device),
    duplex: toKeywords(queue['sides-supported']).some((sides) => sides.startsWith('two-sided-')),
    color: queue['color-supported']?.[0] === true,
    collate: toKeywords(queue['multiple-document-handling-supported']).includes('separate-documents-collated-copies'),
    copies: toHighest(device?.['copies-supported'] ?? queue['copies-supported']) ?? 1,
    nup: toNup(queue['number-up-supported']),
    supportsCustomPaperSize: extent !== undefined,
    formats,
  }
}

/** A raw queue ignores all options. */
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
  formats: RAW_ONLY,
}

/** The range of custom sizes. Rounded inwards to tenths of a millimetre, so that the printer accepts both ends. */
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

/** CUPS reports 1 for a queue of unknown speed. */
function toPrintRate(queue: IppAttributes, device: IppAttributes | undefined): Capabilities['printrate'] {
  const [deviceRate] = device?.['pages-per-minute'] ?? []
  const [queueRate] = queue['pages-per-minute'] ?? []
  const rate =
    typeof deviceRate === 'number' ? deviceRate : typeof queueRate === 'number' && queueRate > 1 ? queueRate : 0
  return rate > 0 ? { rate, unit: 'ppm' } : undefined
}

/** The values that the API supports. A device can report any range. */
export function toNup(values: IppValue[] = []): number[] {
  const nup = NUP.filter((number) => values.some((value) => includes(value, number)))
  return nup.length > 0 ? nup : [1]
}

const NUP = [1, 2, 4, 6, 8, 9, 10, 12, 16, 25, 32]

function includes(value: IppValue, number: number): boolean {
  const range = toRange(value)
  return range !== undefined && range.lower <= number && number <= range.upper
}

function toHighest(values: IppValue[] = []): number | undefined {
  const [upper] = values.flatMap((value) => toRange(value)?.upper ?? [])
  return upper !== undefined && upper >= 1 ? upper : undefined
}

function toKeywords(values: IppValue[] = []): string[] {
  const strings = values.filter((value) => typeof value === 'string' && /^\P{Cc}+$/u.test(value))
  return [...new Set(strings as string[])].slice(0, MAX_CHOICES)
}
