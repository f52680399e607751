/**
 * Converts names of papers. CUPS uses standard and size (PWG 5101.1, "iso_a4_210x297mm"), Windows and the virtual
 * printers use common names ("A4"). All platforms report common names, so that a job does not depend on the platform. A
 * paper of no standard is named by its size ("2x1in"), other papers keep the name of CUPS. Each name stands for one
 * size, which is looked up when a job is printed.
 */
import type { IppAttributes } from './attributes.ts'

export interface MediaSize {
  name: string
  /** Tenths of a millimetre. */
  width: number
  /** Absent for a roll. */
  height?: number
}

const NAMES: Record<string, string> = {
  iso_a3_297x420mm: 'A3',
  iso_a4_210x297mm: 'A4',
  iso_a5_148x210mm: 'A5',
  iso_a6_105x148mm: 'A6',
  iso_b4_250x353mm: 'B4 (ISO)',
  iso_b5_176x250mm: 'B5 (ISO)',
  jis_b4_257x364mm: 'B4 (JIS)',
  jis_b5_182x257mm: 'B5 (JIS)',
  jpn_hagaki_100x148mm: 'Postcard (Japan)',
  'na_letter_8.5x11in': 'Letter',
  'na_legal_8.5x14in': 'Legal',
  na_ledger_11x17in: 'Tabloid',
  'na_executive_7.25x10.5in': 'Executive',
  'na_invoice_5.5x8.5in': 'Statement',
  'na_index-3x5_3x5in': '3x5in',
  'na_index-4x6_4x6in': '4x6in',
  na_5x7_5x7in: '5x7in',
  'na_number-10_4.125x9.5in': 'Envelope #10',
  'na_monarch_3.875x7.5in': 'Envelope Monarch',
  iso_dl_110x220mm: 'Envelope DL',
  iso_c5_162x229mm: 'Envelope C5',
  iso_c6_114x162mm: 'Envelope C6',
}

/** "iso_a4_210x297mm", with or without a suffix. */
const SELF_DESCRIBING = /^[^_]+_(?:.*_)?(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)(?![a-z])/i

/** Papers of no standard. Only the size is compared, because CUPS and the device use different names before it. */
const OTHER = /^(?:custom|oe|om)_.*_([^_]*)$/i

/** The ends of a range of custom sizes. They are not papers. */
const RANGE_END = /^(custom|roll)_(min|max)_/i

const TENTHS_PER_UNIT = { mm: 10, in: 254 }

/** The papers of `media-supported`, except for names without a size. A roll has no height or height 0. */
export function toMediaSizes(attributes: IppAttributes): MediaSize[] {
  const sizes = new Map<string, MediaSize>()
  for (const keyword of attributes['media-supported'] ?? []) {
    const size = typeof keyword === 'string' && parseMediaSize(keyword)
    if (size && !sizes.has(size.name)) sizes.set(size.name, size)
  }
  return [...sizes.values()]
}

function parseMediaSize(keyword: string): MediaSize | undefined {
  if (RANGE_END.test(keyword) || /\p{Cc}/u.test(keyword)) return undefined
  const [, x, y, unit = ''] = SELF_DESCRIBING.exec(keyword) ?? []
  const tenths = TENTHS_PER_UNIT[unit.toLowerCase() as keyof typeof TENTHS_PER_UNIT]
  if (tenths === undefined) return undefined
  const [width, height] = [x, y].map((side) => Math.round(Number(side) * tenths))
  if (!width || width > SIDE_MAX || height === undefined || height > SIDE_MAX) return undefined
  return { name: toName(keyword), width, height: height === 0 ? undefined : height }
}

function toName(keyword: string): string {
  return NAMES[keyword] ?? OTHER.exec(keyword)?.[1] ?? keyword
}

const KEYWORDS = new Map(Object.entries(NAMES).map(([keyword, name]) => [name, keyword]))

const STANDARD = /^(iso|jis|jpn|prc|na|asme|roc)_[a-z0-9][-a-z0-9]*_[\d.]+x[\d.]+(mm|in)$/

/**
 * The inverse: the keyword for a paper of any name, in the form that PWG 5101.1 demands. Names of no standard become
 * custom ones, so two names can have one keyword.
 *
 * @returns undefined for a roll, which has no size.
 */
export function toMediaKeyword({ name, width, height }: MediaSize): string | undefined {
  if (!height) return undefined
  const known = KEYWORDS.get(name) ?? (STANDARD.test(name) ? name : undefined)
  if (known) return known
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, NAME_LENGTH_MAX)
  return `custom_${slug || 'paper'}_${width / TENTHS_PER_UNIT.mm}x${height / TENTHS_PER_UNIT.mm}mm`
}

/** A keyword has at most 255 characters. */
const NAME_LENGTH_MAX = 100

/** 100 m in tenths of a millimetre. Larger values are ignored, so that none overflows. */
const SIDE_MAX = 1_000_000
