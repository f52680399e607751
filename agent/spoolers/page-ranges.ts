import type { IppRange } from '@platen/ipp/attributes.ts'
import { ignoredOption } from './ignored-option.ts'
import { SpoolerRefusal } from './spooler.ts'

/** The upper bound of `n-`. CUPS stops at the last page of the document. */
const LAST_PAGE = 2 ** 31 - 1

/**
 * Parses the option `pages` to ranges of IPP, which are ascending and do not overlap or touch. Each page is printed
 * once, in the order of the document.
 *
 * @param pages valid: `n`, `n-m`, `n-`, `-m` or `-`, separated by commas.
 * @returns an empty list for all pages.
 */
export function parsePageRanges(pages: string): IppRange[] {
  const ranges = pages.split(',').map(parseRange)
  const merged: IppRange[] = []
  for (const range of ranges.toSorted((a, b) => a.lower - b.lower)) {
    const last = merged.at(-1)
    if (last && range.lower <= last.upper + 1) last.upper = Math.max(last.upper, range.upper)
    else merged.push(range)
  }
  const [first] = merged
  return first?.lower === 1 && first.upper === LAST_PAGE ? [] : merged
}

/**
 * The ranges of the option `pages` within a document.
 *
 * @param pages as for `parsePageRanges`. @param pageCount the number of pages of the document. @param perSide the pages
 *   that share a side of a sheet; if there are several, the ranges count sides.
 * @returns an empty list for all pages. A warning names the selected pages that the document does not have.
 * @throws SpoolerRefusal if it has none of them.
 */
export function selectPageRanges(
  pages: string,
  pageCount: number,
  perSide = 1,
): { ranges: IppRange[]; warnings: string[] } {
  const count = Math.ceil(pageCount / perSide)
  const has = `the document has ${count} ${perSide > 1 ? 'side' : 'page'}${count === 1 ? '' : 's'}`
  const selected = parsePageRanges(pages)
  const ranges = selected
    .filter(({ lower }) => lower <= count)
    .map(({ lower, upper }) => ({ lower, upper: Math.min(upper, count) }))
  if (selected.length > 0 && ranges.length === 0)
    throw new SpoolerRefusal(`The option pages selects ${pages}, but ${has}. Nothing was printed.`, [
      'page-ranges-not-in-document',
    ])
  const missing = selected
    .filter(({ upper }) => upper > count && upper !== LAST_PAGE)
    .map(({ lower, upper }) => formatRange(Math.max(lower, count + 1), upper))
  if (missing.length === 0) return { ranges, warnings: [] }
  return { ranges, warnings: [ignoredOption('pages', missing.join(','), has)] }
}

const formatRange = (lower: number, upper: number) => (lower === upper ? String(lower) : `${lower}-${upper}`)

function parseRange(text: string): IppRange {
  const [from = '', to = from] = text.split('-')
  return { lower: from === '' ? 1 : Number(from), upper: to === '' ? LAST_PAGE : Number(to) }
}
