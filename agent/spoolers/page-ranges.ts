import type { IppRange } from '../ipp/attributes.ts'

/** For `n-`: CUPS prints as many as there are. */
const LAST_PAGE = 2 ** 31 - 1

/**
 * The option `pages` as IPP wants ranges: ascending and apart from each other. So each page comes out once and in the document's order.
 *
 * @param pages well-formed: `n`, `n-m`, `n-`, `-m` or `-`, separated by commas.
 * @returns nothing for all pages.
 */
export function pageRanges(pages: string): IppRange[] {
  const asked = pages.split(',').map(parseRange)
  const merged: IppRange[] = []
  for (const range of asked.toSorted((a, b) => a.lower - b.lower)) {
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
