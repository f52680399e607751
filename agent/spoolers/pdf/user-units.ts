/**
 * The size of a point on each page. PDFium ignores `/UserUnit`, which viewers and CUPS apply, and has no function for
 * it. Pure.
 *
 * @param dictionaries of all pages, from `readPageDictionaries`.
 * @returns the units by page, without the pages of the usual one.
 */
export function readUserUnits(dictionaries: string): Map<number, number> {
  const units = new Map<number, number>()
  if (!dictionaries.includes('/UserUnit')) return units
  // A later object replaces an earlier one.
  const objects = new Map(
    [...dictionaries.matchAll(/(?<!\d)(\d+) \d+ obj\b(.*?)endobj/gs)].map(([, number = '', text = '']) => [
      number,
      text,
    ]),
  )
  const resolve = (value: string) => objects.get(/^\s*(\d+) \d+ R/.exec(value)?.[1] ?? '') ?? value
  const read = (text: string, name: string) => {
    const [, value] = new RegExp(`/${name}\\b(\\s*\\[[^\\]]*\\]|[^/>[]*)`).exec(text) ?? []
    return value === undefined ? undefined : resolve(value)
  }
  const [, root = ''] = /\/Pages (\d+) \d+ R/.exec(dictionaries) ?? []
  let index = 0

  /** A damaged tree can contain itself. */
  function visit(number: string, depth: number): void {
    const text = objects.get(number)
    const kids = text && read(text, 'Kids')
    if (!text || depth > DEPTH_MAX || index >= PAGES_MAX) return
    if (kids !== undefined) {
      for (const [, kid = ''] of kids.matchAll(/(\d+) \d+ R/g)) visit(kid, depth + 1)
      return
    }
    const unit = Number(read(text, 'UserUnit') ?? 1)
    if (unit > 0 && unit !== 1) units.set(index, unit)
    index++
  }

  visit(root, 0)
  return units
}

const DEPTH_MAX = 50
const PAGES_MAX = 100_000
