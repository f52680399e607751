/**
 * The job template attributes: what the printer supports, its default, and the print option for a value. The inverse,
 * from options to attributes of the spooler, is `agent/spoolers/cups/options.ts`. Reference:
 * docs/reference/ipp.md#options.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import {
  type IppAttributes,
  type IppRange,
  type IppTyped,
  type IppValue,
  isRange,
  isRecord,
  isResolution,
} from '@platen/ipp/attributes.ts'
import { ORIENTATIONS, PORTRAIT, SIDES } from '@platen/ipp/option-values.ts'
import { boolean, collection, enumeration, integer, keyword, NO_VALUE, range, resolution } from '@platen/ipp/typed.ts'
import type { Offer, Paper } from '../offer.ts'

/** What a value means for the job. */
export interface Meaning {
  options?: JsonObject
  /** Copies that the printer does not make itself. */
  qty?: number
}

export interface TemplateRow {
  name: string
  /** The syntax of a value, for those that are refused. */
  syntax: 'integer' | 'enum' | 'keyword' | 'other'
  supported(offer: Offer): IppTyped[]
  default(offer: Offer): IppTyped
  /** @param values of the attribute, at least one. @returns undefined if a value is not supported. */
  toMeaning(values: IppValue[], offer: Offer): Meaning | undefined
}

const NOTHING: Meaning = {}

/** Values that have no option, because the printer does the same for each of them. */
const fixed = (name: string, syntax: 'enum' | 'keyword', value: number | string): TemplateRow => {
  const typed = typeof value === 'number' ? enumeration(value) : keyword(value)
  return {
    name,
    syntax,
    supported: () => [typed],
    default: () => typed,
    toMeaning: (values) => (values.every((one) => one === value) ? NOTHING : undefined),
  }
}

const FINISHINGS_NONE = 3
const QUALITY_NORMAL = 4

const DUPLEX = new Map<IppValue, string>(Object.entries(SIDES).map(([option, sides]) => [sides, option]))
const ANGLES = new Map<IppValue, number>([
  [PORTRAIT, 0],
  ...Object.entries(ORIENTATIONS).map(([angle, value]) => [value, Number(angle)] as const),
])

const COLLATED = 'separate-documents-collated-copies'
const UNCOLLATED = 'separate-documents-uncollated-copies'

const COLORS: Record<string, boolean | undefined> = { auto: undefined, color: true, monochrome: false }

const SCALINGS: Record<string, boolean | undefined> = { auto: undefined, 'auto-fit': undefined, fit: true, none: false }

const asOption = (name: string, value: boolean | undefined): Meaning =>
  value === undefined ? NOTHING : { options: { [name]: value } }

/** The upper end of a range without one. */
const LAST_PAGE = 2 ** 31 - 1
const PAGE_MAX = 999_999_999
const RANGES_MAX = 100

export const JOB_TEMPLATE: readonly TemplateRow[] = [
  {
    name: 'copies',
    syntax: 'integer',
    supported: ({ copiesMax }) => [range({ lower: 1, upper: copiesMax })],
    default: ({ defaults }) => integer(typeof defaults.copies === 'number' ? defaults.copies : 1),
    toMeaning([copies], offer) {
      if (typeof copies !== 'number' || copies < 1 || copies > offer.copiesMax) return undefined
      return copies <= offer.copies ? { options: { copies } } : { qty: copies, options: { copies: 1 } }
    },
  },
  fixed('finishings', 'enum', FINISHINGS_NONE),
  {
    name: 'media',
    syntax: 'keyword',
    supported: ({ papers }) => papers.map((paper) => keyword(paper.keyword)),
    default: ({ defaultPaper }) => (defaultPaper ? keyword(defaultPaper.keyword) : NO_VALUE),
    toMeaning([media], { papers }) {
      const paper = papers.find((one) => one.keyword === media)
      return paper && { options: { paper: paper.name } }
    },
  },
  {
    name: 'media-col',
    syntax: 'other',
    supported: () => MEDIA_MEMBERS.map(keyword),
    default: (offer) => (offer.defaultPaper ? toMediaCol(offer, offer.defaultPaper) : NO_VALUE),
    toMeaning: ([value], offer) => (isRecord(value) ? readMediaCol(value as IppAttributes, offer) : undefined),
  },
  {
    name: 'multiple-document-handling',
    syntax: 'keyword',
    supported: ({ collate }) => [UNCOLLATED, ...(collate ? [COLLATED] : [])].map(keyword),
    default: ({ collate, defaults }) => keyword(collate && defaults.collate === true ? COLLATED : UNCOLLATED),
    toMeaning([value], { collate }) {
      if (value === UNCOLLATED) return { options: { collate: false } }
      return value === COLLATED && collate ? { options: { collate: true } } : undefined
    },
  },
  {
    name: 'number-up',
    syntax: 'integer',
    supported: ({ nup }) => nup.map(integer),
    default: ({ nup, defaults }) => integer(nup.find((one) => one === defaults.nup) ?? 1),
    toMeaning([value], { nup }) {
      if (value === 1) return nup.length > 1 ? { options: { nup: 1 } } : NOTHING
      return nup.some((one) => one === value) ? { options: { nup: Number(value) } } : undefined
    },
  },
  {
    name: 'orientation-requested',
    syntax: 'enum',
    supported: () => [...ANGLES.keys()].map((value) => enumeration(Number(value))),
    default: () => NO_VALUE,
    toMeaning([value]) {
      const rotate = ANGLES.get(value ?? null)
      return rotate === undefined ? undefined : { options: { rotate } }
    },
  },
  fixed('output-bin', 'keyword', 'auto'),
  {
    name: 'page-ranges',
    syntax: 'other',
    supported: ({ formats }) => [boolean(formats.includes('application/pdf'))],
    default: () => NO_VALUE,
    toMeaning: (values) => {
      const pages = values.length <= RANGES_MAX ? values.map(toPages) : [undefined]
      return pages.every((one) => one !== undefined) ? { options: { pages: pages.join(',') } } : undefined
    },
  },
  {
    name: 'print-color-mode',
    syntax: 'keyword',
    supported: ({ color }) => ['auto', ...(color ? ['color'] : []), 'monochrome'].map(keyword),
    default: ({ color, defaults }) =>
      keyword(defaults.color === false ? 'monochrome' : color && defaults.color === true ? 'color' : 'auto'),
    toMeaning([value], { color }) {
      if (typeof value !== 'string' || !Object.hasOwn(COLORS, value) || (value === 'color' && !color)) return undefined
      return asOption('color', COLORS[value])
    },
  },
  fixed('print-content-optimize', 'keyword', 'auto'),
  fixed('print-quality', 'enum', QUALITY_NORMAL),
  fixed('print-rendering-intent', 'keyword', 'auto'),
  {
    name: 'print-scaling',
    syntax: 'keyword',
    supported: () => Object.keys(SCALINGS).map(keyword),
    default: ({ defaults }) =>
      keyword(defaults.fit_to_page === true ? 'fit' : defaults.fit_to_page === false ? 'none' : 'auto'),
    toMeaning([value]) {
      if (typeof value !== 'string' || !Object.hasOwn(SCALINGS, value)) return undefined
      return asOption('fit_to_page', SCALINGS[value])
    },
  },
  {
    name: 'printer-resolution',
    syntax: 'other',
    supported: ({ resolutions }) => resolutions.map(({ x, y }) => resolution({ x, y, unit: 'dpi' })),
    default({ resolutions, defaults }) {
      const { x, y } = resolutions.find(({ dpi }) => dpi !== undefined && dpi === defaults.dpi) ??
        resolutions[0] ?? { x: 300, y: 300 }
      return resolution({ x, y, unit: 'dpi' })
    },
    toMeaning([value], { resolutions }) {
      if (value === undefined || !isResolution(value) || value.unit !== 'dpi') return undefined
      const found = resolutions.find(({ x, y }) => x === value.x && y === value.y)
      return found && (found.dpi === undefined ? NOTHING : { options: { dpi: found.dpi } })
    },
  },
  {
    name: 'sides',
    syntax: 'keyword',
    supported: ({ duplex }) =>
      Object.values(SIDES)
        .slice(0, duplex ? undefined : 1)
        .map(keyword),
    default: ({ duplex, defaults }) =>
      keyword((duplex && SIDES[defaults.duplex as keyof typeof SIDES]) || SIDES['one-sided']),
    toMeaning([value], offer) {
      const duplex = DUPLEX.get(value ?? null)
      return duplex === undefined || (duplex !== 'one-sided' && !offer.duplex) ? undefined : { options: { duplex } }
    },
  },
]

/** The option that each value stands for, by its row, computed once for an offer. */
const meanings = new WeakMap<Offer, Map<TemplateRow, Listed[]>>()

interface Listed {
  value: IppTyped
  name: string
  option: unknown
}

function listOptions(row: TemplateRow, offer: Offer): Listed[] {
  const rows = meanings.get(offer) ?? new Map<TemplateRow, Listed[]>()
  meanings.set(offer, rows)
  const known = rows.get(row)
  if (known) return known
  const listed = row.supported(offer).flatMap((value) => {
    const [[name, option] = []] = Object.entries(row.toMeaning([value.value as IppValue], offer)?.options ?? {})
    return name === undefined ? [] : [{ value, name, option }]
  })
  rows.set(row, listed)
  return listed
}

/**
 * The inverse of `toMeaning`, for jobs that are read.
 *
 * @param options of the job. @returns the value that stands for them, or the default.
 */
export function toValue(row: TemplateRow, options: JsonObject, offer: Offer): IppTyped {
  const meant = listOptions(row, offer).find(({ name, option }) => options[name] === option)
  return meant?.value ?? row.default(offer)
}

/** `1-3`, `5`, `7-`. */
function toPages(value: IppValue): string | undefined {
  if (!isRange(value)) return undefined
  const { lower, upper } = value as IppRange
  if (lower < 1 || upper < lower || lower > PAGE_MAX) return undefined
  if (upper === LAST_PAGE) return `${lower}-`
  if (upper > PAGE_MAX) return undefined
  return lower === upper ? String(lower) : `${lower}-${upper}`
}

const HUNDREDTHS_PER_TENTH = 10

/** The tray or kind of paper that the printer chooses. */
const AUTO = 'auto'

/** Systems round sizes in inches. */
const TOLERANCE_HUNDREDTHS = 50

const MARGINS = ['media-bottom-margin', 'media-left-margin', 'media-right-margin', 'media-top-margin'] as const

const MEDIA_MEMBERS = [...MARGINS, 'media-size', 'media-size-name', 'media-source', 'media-type']

const toMediaSize = ({ width, height }: Paper) =>
  collection({
    'x-dimension': integer(width * HUNDREDTHS_PER_TENTH),
    'y-dimension': integer(height * HUNDREDTHS_PER_TENTH),
  })

export const toMediaSizes = ({ papers }: Offer): IppTyped[] => papers.map(toMediaSize)

/** Trays and kinds of paper are not bound to a size. */
export function toMediaCol({ margin }: Offer, paper: Paper): IppTyped {
  return collection({
    'media-size': toMediaSize(paper),
    'media-size-name': keyword(paper.keyword),
    ...Object.fromEntries(MARGINS.map((name) => [name, integer(margin)])),
    'media-source': keyword(AUTO),
    'media-type': keyword(AUTO),
  })
}

/** Margins have no option: an agent prints in the area of the printer. */
function readMediaCol(members: IppAttributes, offer: Offer): Meaning | undefined {
  const options: JsonObject = {}
  const { 'media-size': [size] = [], 'media-size-name': [sizeName] = [] } = members
  const { 'media-source': [source] = [], 'media-type': [type] = [] } = members
  if (size !== undefined || sizeName !== undefined) {
    const paper = offer.papers.find((one) => (sizeName ?? null) === one.keyword) ?? findPaper(size, offer)
    if (!paper) return undefined
    options.paper = paper.name
  }
  for (const [option, value, choices] of [
    ['bin', source, offer.sources],
    ['media', type, offer.types],
  ] as const) {
    if (value === undefined || value === AUTO) continue
    const choice = choices.find((one) => one.keyword === value)
    if (!choice) return undefined
    options[option] = choice.name
  }
  return Object.keys(members).every((name) => MEDIA_MEMBERS.includes(name)) ? { options } : undefined
}

function findPaper(size: IppValue | undefined, { papers }: Offer): Paper | undefined {
  const { 'x-dimension': [x] = [], 'y-dimension': [y] = [] } = (isRecord(size) ? size : {}) as IppAttributes
  if (typeof x !== 'number' || typeof y !== 'number') return undefined
  const distance = ({ width, height }: Paper) =>
    Math.max(Math.abs(width * HUNDREDTHS_PER_TENTH - x), Math.abs(height * HUNDREDTHS_PER_TENTH - y))
  const [nearest] = papers.toSorted((a, b) => distance(a) - distance(b))
  return nearest && distance(nearest) <= TOLERANCE_HUNDREDTHS ? nearest : undefined
}
