/** The words for print options, on every page. Reference: docs/reference/options.md. */

import type { PrintOptions } from '../../api/gen/schema.ts'
import type { Printer } from '../../api/resources.ts'

export type OptionName = keyof PrintOptions
export type OptionValue = string | number | boolean | null

const LABELS: Record<OptionName, string> = {
  paper: 'Paper',
  bin: 'Tray',
  media: 'Kind of paper',
  duplex: 'Sides',
  color: 'Color',
  dpi: 'Resolution',
  copies: 'Copies',
  collate: 'Sort copies',
  nup: 'Pages per side',
  fit_to_page: 'Size',
  rotate: 'Rotate',
  pages: 'Pages',
  crop: 'Part of the page',
}

/** Options that are entered as text. */
export const ENTERED: Partial<Record<OptionName, { placeholder: string; pattern: string; hint?: string }>> = {
  pages: { placeholder: 'all', pattern: '[0-9,\\-]*' },
  crop: {
    placeholder: 'whole page',
    pattern: 'auto|\\d+(,\\d+){3}',
    hint: 'auto, or x,y,width,height in tenths of a millimetre',
  },
}

const WORDS: Partial<Record<OptionName, Record<string, string>>> = {
  duplex: { 'one-sided': 'one side', 'long-edge': 'both, long edge', 'short-edge': 'both, short edge' },
  color: { true: 'color', false: 'gray' },
  collate: { true: 'into sets', false: 'page by page' },
  fit_to_page: { true: 'fit to the sheet', false: '100 %' },
  crop: { auto: 'what is printed on it' },
  rotate: { 0: '0°', 90: '90°', 180: '180°', 270: '270°' },
}

export const AS_THE_PRINTER = 'as the printer is set'

export const describeOption = (name: string): string => LABELS[name as OptionName] ?? name

/** @param value of the option `name`. */
export function describeValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return AS_THE_PRINTER
  if (typeof value === 'object') return 'name' in value ? String(value.name) : JSON.stringify(value)
  return WORDS[name as OptionName]?.[String(value)] ?? String(value)
}

interface OfferedOption {
  name: OptionName
  /** Empty: it is entered as text or number, or the printer does not offer it. */
  values: readonly OptionValue[]
}

/** What the printer offers, in the order of forms. `copies` and those of `ENTERED` are entered. */
export function listOffered(
  { capabilities }: Pick<Printer, 'capabilities'>,
  customPapers: readonly { name: string }[],
): OfferedOption[] {
  if (!capabilities) return []
  const { papers, bins, dpis, medias, duplex, color, collate, nup } = capabilities
  return [
    { name: 'paper', values: [...new Set([...customPapers.map(({ name }) => name), ...Object.keys(papers)])] },
    { name: 'duplex', values: duplex ? ['one-sided', 'long-edge', 'short-edge'] : [] },
    { name: 'color', values: color ? [true, false] : [false] },
    { name: 'pages', values: [] },
    { name: 'crop', values: [] },
    { name: 'nup', values: nup.length > 1 ? nup : [] },
    { name: 'rotate', values: [0, 90, 180, 270] },
    { name: 'fit_to_page', values: [true, false] },
    { name: 'copies', values: [] },
    { name: 'collate', values: collate ? [true, false] : [] },
    { name: 'bin', values: bins },
    { name: 'media', values: medias },
    { name: 'dpi', values: dpis },
  ]
}
