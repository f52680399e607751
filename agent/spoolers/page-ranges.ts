import type { IppRange } from '../ipp/attributes.ts'

/** The upper bound of `n-`. CUPS stops at the last page of the document. */
const LAST_PAGE = 2 ** 31 - 1

/**
 * Parses the option `pages` to ranges of IPP, which are ascending and do not overlap or touch. Each page is printed once, in the order of
 * the document.
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

function parseRange(text: string): IppRange {
  const [from = '', to = from] = text.split('-')
  return { lower: from === '' ? 1 : Number(from), upper: to === '' ? LAST_PAGE : Number(to) }
}
