/**
 * Converts print options to attributes of CUPS and drops values that the queue does not offer, because CUPS accepts any
 * value and aborts the job if the device does not. Pure. Reference: docs/reference/options.md#platforms.
 */

import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { isRange, isResolution } from '@platen/ipp/attributes.ts'
import { ORIENTATIONS, SIDES } from '@platen/ipp/option-values.ts'
import { integer, keyword } from '@platen/ipp/typed.ts'
import { ignoredOption, notOffered } from '../ignored-option.ts'
import { parsePageRanges, selectPageRanges } from '../page-ranges.ts'
import { type ScaledPage, toScale, warnOfScale } from '../pdf/scaled-pages.ts'
import type { DocumentWarning, PdfInfo } from '../spooler.ts'
import { toNup } from './capabilities.ts'
import { toMediaCol } from './media-col.ts'
import { offersInteger, type Queue } from './queue.ts'
import { replaceDefaults } from './queue-defaults.ts'
import type { Size } from './rotated-papers.ts'

export interface MappedOptions {
  /** The number of spooler jobs with these attributes. */
  jobs: number
  attributes: IppTypedAttributes
  /** One sentence per dropped option. */
  warnings: string[]
  documentWarnings?: DocumentWarning[]
}

/** The job attributes of one option, or the reason why it is dropped. */
type Mapped = IppTypedAttributes | { dropped: string }

/**
 * @param qty the number of prints of the job.
 * @param pdf the pages of the document; undefined if it exceeds the limits of the inspection.
 * @throws SpoolerRefusal if the document has none of the selected pages.
 */
export function mapOptions(options: JsonObject, qty: number, queue: Queue, pdf?: PdfInfo): MappedOptions {
  const warnings: string[] = []
  const attributes: IppTypedAttributes = {}
  const apply = (name: string, value: JsonValue | undefined, mapped: Mapped) => {
    if ('dropped' in mapped) warnings.push(ignoredOption(name, value, String(mapped.dropped)))
    else Object.assign(attributes, mapped)
  }

  const { copies, collate, bin, media, paper, pages, rotate, fit_to_page: fit, ...others } = options
  for (const [name, value] of Object.entries(others))
    if (value !== undefined) apply(name, value, mapOption(name, value, queue))
  if (typeof pages === 'string') {
    const { ranges, warnings: missing } = pdf
      ? selectPageRanges(pages, pdf.pages, 'number-up' in attributes ? Number(options.nup) : 1)
      : { ranges: parsePageRanges(pages), warnings: [] }
    warnings.push(...missing)
    if (ranges.length > 0)
      attributes['page-ranges'] = ranges.map((range) => ({ syntax: 'rangeOfInteger', value: range }))
  }
  const mediaCol = toMediaCol({ bin, media, paper }, queue, pdf?.sizes)
  Object.assign(attributes, mediaCol.attributes)
  warnings.push(...mediaCol.warnings)
  for (const { name, value, dropped } of mediaCol.dropped) apply(name, value, { dropped })
  const placement = toPlacement({ rotate, fit }, queue, { sheet: mediaCol.sheet, pdf })
  warnings.push(...placement.warnings)
  const isFitted = rotate === undefined && fit === undefined && !('number-up' in attributes)
  const documentWarnings = isFitted ? warnOfScale(toScaledPages(mediaCol.sheet, pdf)) : []
  const sets = planSets(qty, Number(copies ?? 1), queue)
  warnings.push(...sets.warnings)
  Object.assign(attributes, placement.attributes, sets.attributes)
  Object.assign(attributes, toCollation(collate, qty))
  if (collate === false && qty > 1 && Number(copies ?? 1) > 1)
    apply('collate', collate, { dropped: 'a job with a qty above 1 is always collated' })
  return {
    jobs: sets.jobs,
    attributes: replaceDefaults(attributes, queue.attributes),
    warnings,
    ...(documentWarnings.length > 0 && { documentWarnings }),
  }
}

function toScaledPages(sheet: Size | undefined, pdf: PdfInfo | undefined): ScaledPage[] {
  if (!sheet || !pdf) return []
  const paper = { width: sheet.x / HUNDREDTHS_PER_TENTH, height: sheet.y / HUNDREDTHS_PER_TENTH }
  return pdf.sizes.map((page) => ({ page, paper, scale: toScale(page, paper) }))
}

/** Raw jobs ignore options: docs/reference/print-jobs.md#content.raw.options. */
export function mapRawOptions(qty: number, attributes: IppAttributes): MappedOptions {
  const sets = planSets(qty, 1, { attributes })
  return { ...sets, attributes: replaceDefaults(sets.attributes, attributes) }
}

function mapOption(name: string, value: JsonValue, { attributes, dpis }: Queue): Mapped {
  switch (name) {
    case 'duplex':
      return toSides(String(value), attributes)
    case 'color':
      return toColorMode(value === true, attributes)
    case 'nup':
      return offersInteger(attributes['number-up-supported'], Number(value))
        ? { 'number-up': integer(Number(value)) }
        : { dropped: notOffered(toNup(attributes['number-up-supported'])) }
    case 'dpi':
      return toResolution(String(value), attributes, dpis)
    default:
      return { dropped: 'this version of the agent does not support it' }
  }
}

const NOT_OFFERED: Mapped = { dropped: notOffered() }

/** A value is sent unchecked if the queue does not report its values. */
function toOfferedKeyword(name: string, value: string, attributes: IppAttributes): Mapped {
  const offered = attributes[`${name}-supported`]
  return !offered || offered.includes(value) ? { [name]: keyword(value) } : NOT_OFFERED
}

function toSides(value: string, attributes: IppAttributes): Mapped {
  const mapped = toOfferedKeyword('sides', SIDES[value as keyof typeof SIDES] ?? value, attributes)
  if (!('dropped' in mapped)) return mapped
  const offered = Object.entries(SIDES).filter(([, sides]) => attributes['sides-supported']?.includes(sides))
  return { dropped: notOffered(offered.map(([name]) => name)) }
}

/** A printer without colour needs no attribute to print without colour. */
function toColorMode(color: boolean, attributes: IppAttributes): Mapped {
  const offered = attributes['print-color-mode-supported']
  if (color) return toOfferedKeyword('print-color-mode', 'color', attributes)
  const mode = ['monochrome', 'process-monochrome', 'bi-level'].find((one) => offered?.includes(one))
  return mode ? { 'print-color-mode': keyword(mode) } : offered?.includes('color') ? NOT_OFFERED : {}
}

/**
 * CUPS reports one resolution for a queue whose driver cannot select it. The device then uses its default resolution,
 * which is the requested one only if the device has no other.
 */
function toResolution(dpi: string, attributes: IppAttributes, dpis: readonly string[]): Mapped {
  const [x = Number.NaN, y = x] = dpi.split('x').map(Number)
  const offered = attributes['printer-resolution-supported'] ?? []
  const isOffered = offered.some((one) => isResolution(one) && one.x === x && one.y === y && one.unit === 'dpi')
  if (offered.length <= 1 && dpis.length > 1) return { dropped: 'the driver of the queue cannot select the resolution' }
  if (!isOffered)
    return offered.length <= 1 && dpis.includes(dpi) ? {} : { dropped: notOffered(dpis.filter((one) => one !== dpi)) }
  // Filters use the option of the driver, devices use the attribute of IPP.
  const choice = keyword(x === y ? `${x}dpi` : `${x}x${y}dpi`)
  return { 'printer-resolution': { syntax: 'resolution', value: { x, y, unit: 'dpi' } }, Resolution: choice }
}

interface PlacementOptions {
  rotate: JsonValue | undefined
  fit: JsonValue | undefined
}

interface Sizes {
  sheet: Size | undefined
  pdf: PdfInfo | undefined
}

/**
 * The angle refers to the sheet as its paper is named, width by height. An angle switches off the automatic rotation of
 * CUPS, which would be applied before it. 0 has the effect of no angle.
 */
function toPlacement({ rotate, fit }: PlacementOptions, queue: Queue, sizes: Sizes): Omit<MappedOptions, 'jobs'> {
  const orientation = ORIENTATIONS[String(rotate)]
  const isRotated = rotate === 90 || rotate === 270
  // Without `fit_to_page` only larger pages are scaled. CUPS compares the size before the rotation.
  const scalings =
    fit === true ? ['fit'] : fit === false ? ['none'] : isRotated ? [toRotatedScaling(sizes)] : SHRINK_LARGER
  const offered = queue.attributes['print-scaling-supported']
  const scaling = scalings.find((one) => !offered || offered.includes(one))
  const isMixed = isRotated && fit === undefined && scaling === 'fit' && (sizes.pdf?.sizes.length ?? 0) > 1
  return {
    attributes: {
      ...(scaling && { 'print-scaling': keyword(scaling) }),
      ...(orientation === undefined
        ? {}
        : {
            'orientation-requested': { syntax: 'enum', value: orientation },
            pdfAutoRotate: { syntax: 'boolean', value: false },
          }),
    },
    warnings: isMixed ? [MIXED_SIZES] : [],
  }
}

/** The first offered one is used: `auto` cuts off edges of larger pages if the paper has no margins. */
const SHRINK_LARGER = ['auto-fit', 'auto']

const MIXED_SIZES =
  'The computer scaled all rotated pages to the sheet, because one of them is larger than the sheet. Smaller pages are enlarged.'

const HUNDREDTHS_PER_POINT = 2540 / 72
const HUNDREDTHS_PER_TENTH = 10

/** Drivers and programs round sizes. */
const LARGER_BY_HUNDREDTHS = 100

/** For pages that are rotated by a quarter. Without a known size they are scaled, so that nothing is cut off. */
function toRotatedScaling({ sheet, pdf }: Sizes): 'fit' | 'none' {
  if (!sheet || !pdf) return 'fit'
  const exceeds = (points: number, hundredths: number) =>
    points * HUNDREDTHS_PER_POINT > hundredths + LARGER_BY_HUNDREDTHS
  return pdf.sizes.some(({ width, height }) => exceeds(height, sheet.x) || exceeds(width, sheet.y)) ? 'fit' : 'none'
}

/**
 * The `qty` sets of `copies`. They are several jobs if the printer cannot make all of them in one: CUPS does not repeat
 * a document for a device that makes one copy, and concatenates the documents of one job, which most devices do not
 * support.
 */
function planSets(
  qty: number,
  copies: number,
  { attributes, copies: reported }: Pick<Queue, 'attributes' | 'copies'>,
): MappedOptions {
  const offered = (attributes['copies-supported'] ?? []).map((one) => (isRange(one) ? one.upper : Number(one)))
  const maximum = Math.max(1, Math.min(...offered, reported ?? Number.POSITIVE_INFINITY))
  if (copies > maximum) {
    const warning = ignoredOption('copies', copies, `this printer makes at most ${maximum}`)
    return { ...planSets(qty, 1, { attributes, copies: reported }), warnings: [warning] }
  }
  const sets = qty * copies
  let jobs = 1
  while (sets % jobs !== 0 || sets / jobs > maximum) jobs++
  const perJob = sets / jobs
  return { jobs, attributes: { copies: integer(perJob) }, warnings: [] }
}

/** With a `qty` above 1 sets are always collated, so that each set is complete. */
function toCollation(collate: JsonValue | undefined, qty: number): IppTypedAttributes {
  if (qty === 1 && typeof collate !== 'boolean') return {}
  const order = qty === 1 && collate === false ? 'uncollated' : 'collated'
  return { 'multiple-document-handling': keyword(`separate-documents-${order}-copies`) }
}
