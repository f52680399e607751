/**
 * Converts print options to attributes of CUPS and drops values that the queue does not offer, because CUPS accepts any value and aborts the
 * job if the device does not. Pure. Reference: docs/reference/options.md#platforms.
 */

import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes } from '../../ipp/attributes.ts'
import { isRange, isResolution } from '../../ipp/attributes.ts'
import { integer, keyword } from '../../ipp/typed.ts'
import { ignoredOption } from '../ignored-option.ts'
import { pageRanges } from '../page-ranges.ts'
import { SpoolerRefusal } from '../spooler.ts'
import { isRaw } from './capabilities.ts'
import { mediaCol } from './media-col.ts'
import { offersInteger, type Queue } from './queue.ts'

export interface MappedOptions {
  attributes: IppTypedAttributes
  /** A sentence for each option that was dropped. */
  warnings: string[]
}

/** What becomes of one option: its job attributes, or why it is dropped. */
type Mapped = IppTypedAttributes | { dropped: string }

/** By the angle: how the page is turned on the sheet, clockwise (RFC 8011, `orientation-requested`, turns the other way). */
const ORIENTATIONS: Record<string, number> = { 90: 5, 180: 6, 270: 4 }

const SIDES: Record<string, string> = {
  'one-sided': 'one-sided',
  'long-edge': 'two-sided-long-edge',
  'short-edge': 'two-sided-short-edge',
}

/**
 * @param qty how often the whole job is printed.
 * @throws SpoolerRefusal for more sheets than the queue prints of one job: printing fewer would not be what was asked.
 */
export function mapOptions(options: JsonObject, qty: number, queue: Queue): MappedOptions {
  const warnings: string[] = []
  const attributes: IppTypedAttributes = {}
  const take = (name: string, value: JsonValue | undefined, mapped: Mapped) => {
    if ('dropped' in mapped) warnings.push(ignoredOption(name, value, String(mapped.dropped)))
    else Object.assign(attributes, mapped)
  }

  const { copies, collate, bin, media, paper, rotate, fit_to_page: fit, ...others } = options
  if (isRaw(queue.attributes)) {
    for (const [name, value] of Object.entries({ ...others, bin, media, paper, rotate, fit_to_page: fit, collate }))
      if (value !== undefined) take(name, value, { dropped: 'this queue passes documents on as they are' })
    return { attributes: toCopies(qty * Number(copies ?? 1), queue), warnings }
  }
  for (const [name, value] of Object.entries(others))
    if (value !== undefined) take(name, value, mapOne(name, value, queue))
  const col = mediaCol({ bin, media, paper }, queue)
  Object.assign(attributes, col.attributes)
  for (const { name, value, dropped } of col.dropped) take(name, value, { dropped })
  Object.assign(attributes, toPlacement(rotate, fit, queue), toCopies(qty * Number(copies ?? 1), queue))
  Object.assign(attributes, collation(collate, qty))
  if (collate === false && qty > 1 && Number(copies ?? 1) > 1)
    take('collate', collate, { dropped: 'with a qty above 1 each set comes out whole' })
  return { attributes, warnings }
}

function mapOne(name: string, value: JsonValue, { attributes, dpis }: Queue): Mapped {
  switch (name) {
    case 'duplex':
      return offeredKeyword('sides', SIDES[String(value)] ?? String(value), attributes)
    case 'color':
      return colorMode(value === true, attributes)
    case 'nup':
      return offersInteger(attributes['number-up-supported'], Number(value))
        ? { 'number-up': integer(Number(value)) }
        : NOT_OFFERED
    case 'pages': {
      const ranges = pageRanges(String(value))
      return ranges.length === 0
        ? {}
        : { 'page-ranges': ranges.map((range) => ({ syntax: 'rangeOfInteger', value: range })) }
    }
    case 'dpi':
      return resolution(String(value), attributes, dpis)
    default:
      return { dropped: 'this agent does not know the option' }
  }
}

const NOT_OFFERED: Mapped = { dropped: 'this queue does not offer it' }

/** Where a queue does not say what it offers, CUPS is left to judge. */
function offeredKeyword(name: string, value: string, attributes: IppAttributes): Mapped {
  const offered = attributes[`${name}-supported`]
  return !offered || offered.includes(value) ? { [name]: keyword(value) } : NOT_OFFERED
}

/** Black on a printer that knows no colour needs no word. */
function colorMode(color: boolean, attributes: IppAttributes): Mapped {
  const offered = attributes['print-color-mode-supported']
  if (color) return offeredKeyword('print-color-mode', 'color', attributes)
  const mode = ['monochrome', 'process-monochrome', 'bi-level'].find((one) => offered?.includes(one))
  return mode ? { 'print-color-mode': keyword(mode) } : offered?.includes('color') ? NOT_OFFERED : {}
}

/**
 * CUPS names one resolution for every queue whose driver has no choice of it. A job then comes out in whatever the device takes by itself:
 * only where the device knows no other either, that is what was asked for.
 */
function resolution(dpi: string, attributes: IppAttributes, dpis: readonly string[]): Mapped {
  const [x = Number.NaN, y = x] = dpi.split('x').map(Number)
  const offered = attributes['printer-resolution-supported'] ?? []
  const isOffered = offered.some((one) => isResolution(one) && one.x === x && one.y === y && one.unit === 'dpi')
  if (offered.length <= 1 && dpis.length > 1) return { dropped: "the queue's driver leaves no choice of it" }
  if (!isOffered) return offered.length <= 1 && dpis.includes(dpi) ? {} : NOT_OFFERED
  // The filters heed the driver's own name of it alone, IPP's is for devices.
  const choice = keyword(x === y ? `${x}dpi` : `${x}x${y}dpi`)
  return { 'printer-resolution': { syntax: 'resolution', value: { x, y, unit: 'dpi' } }, Resolution: choice }
}

/**
 * Turned as the reader of the sheet sees it, with the sheet as its paper is named (width, then height). CUPS by itself turns pages to suit
 * the sheet before it heeds an angle, which is why that is switched off. 0 leaves it to CUPS, as no angle does.
 */
function toPlacement(rotate: JsonValue | undefined, fit: JsonValue | undefined, queue: Queue): IppTypedAttributes {
  const orientation = ORIENTATIONS[String(rotate)]
  // Without a word about the size only what is larger than the sheet is made smaller; CUPS looks at the unturned page for that.
  const unset = rotate === 90 || rotate === 270 ? 'fit' : 'auto'
  const scaling = offeredKeyword(
    'print-scaling',
    fit === true ? 'fit' : fit === false ? 'none' : unset,
    queue.attributes,
  )
  return {
    ...('dropped' in scaling ? {} : scaling),
    ...(orientation === undefined
      ? {}
      : {
          'orientation-requested': { syntax: 'enum', value: orientation },
          pdfAutoRotate: { syntax: 'boolean', value: false },
        }),
  }
}

/**
 * One spooler job prints all sets, so that a crash cannot come between two. A device that knows no copies gets them from CUPS one by one;
 * one that knows some does what it likes with more.
 *
 * @throws SpoolerRefusal
 */
export function toCopies(sets: number, { attributes, copies = 1 }: Queue): IppTypedAttributes {
  if (sets === 1) return {}
  const offered = (attributes['copies-supported'] ?? []).map((one) => (isRange(one) ? one.upper : Number(one)))
  const most = Math.min(...offered, copies > 1 ? copies : Number.POSITIVE_INFINITY)
  if (sets > most)
    throw new SpoolerRefusal(
      `The printer was asked for ${sets} sets (qty times copies), and prints at most ${most} in one job. Nothing was printed: send several jobs.`,
      ['copies-not-supported'],
    )
  return { copies: integer(sets) }
}

/** Each of `qty` sets comes out whole. Sets of a single copy have nothing to be laid page by page. */
function collation(collate: JsonValue | undefined, qty: number): IppTypedAttributes {
  if (qty === 1 && typeof collate !== 'boolean') return {}
  const how = qty === 1 && collate === false ? 'uncollated' : 'collated'
  return { 'multiple-document-handling': keyword(`separate-documents-${how}-copies`) }
}
