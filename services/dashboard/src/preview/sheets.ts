/** How the pages of a document come out on paper. Pure. Reference: docs/reference/options.md#placement. */
import type { components } from '../api/schema.ts'

export type PrintOptions = components['schemas']['PrintOptions']

/** In points. */
export interface Size {
  width: number
  height: number
}

/** The page numbers of each side. A sheet that is printed on one side has no back. */
export interface Sheet {
  front: number[]
  back: number[] | undefined
}

/** Where one page is drawn, in points from the top left of the sheet. */
export interface Placement extends Size {
  x: number
  y: number
  /** Nothing is printed outside of it. */
  cell: { x: number; y: number } & Size
  /** Clockwise, in addition to that of the page. */
  rotation: number
  scale: number
}

/** @returns the numbers in the order of the document, each once; those that the document does not have are left out. */
export function selectPages(pages: string | null | undefined, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (!pages) return all
  const ranges = pages.split(',').map((part) => {
    const [first = '', last = first] = part.split('-')
    return [Number(first || 1), Number(last || count)] as const
  })
  return all.filter((page) => ranges.some(([first, last]) => page >= first && page <= last))
}

export function toSheets(pageCount: number, { pages, nup, duplex }: PrintOptions): Sheet[] {
  const sides = chunk(selectPages(pages, pageCount), nup ?? 1)
  if (!isDuplex(duplex)) return sides.map((front) => ({ front, back: undefined }))
  return chunk(sides, 2).map(([front = [], back = []]) => ({ front, back }))
}

export const isDuplex = (duplex: PrintOptions['duplex']) => duplex === 'long-edge' || duplex === 'short-edge'

/** "2 sheets × 2 copies × qty 3 = 12 sheets" */
export function countSheets(sheets: number, copies: number, qty: number): string {
  const factors = [
    plural(sheets, 'sheet'),
    ...(copies > 1 ? [plural(copies, 'copies', 'copies')] : []),
    ...(qty > 1 ? [`qty ${qty}`] : []),
  ]
  if (factors.length === 1) return factors.join()
  return `${factors.join(' × ')} = ${plural(sheets * copies * qty, 'sheet')}`
}

export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** Columns and rows. With 2 or 6 pages the sheet is read in landscape, with the others they are equal. */
const LANDSCAPE_GRIDS: Record<number, [columns: number, rows: number]> = { 2: [2, 1], 6: [3, 2] }

/** The sheet as it is read: in landscape for some values of `nup`. */
export function toReadSize(sheet: Size, nup: number): Size {
  const isLandscape = nup in LANDSCAPE_GRIDS && sheet.height > sheet.width
  return isLandscape ? { width: sheet.height, height: sheet.width } : sheet
}

/**
 * @param index of the page on its side.
 * @param sheet by `toReadSize`.
 * @param page its size as the document shows it.
 */
export function placePage(page: Size, sheet: Size, index: number, options: PrintOptions): Placement {
  const nup = options.nup ?? 1
  const [columns, rows] = LANDSCAPE_GRIDS[nup] ?? [Math.sqrt(nup), Math.sqrt(nup)]
  const width = sheet.width / columns
  const height = sheet.height / rows
  const cell = { x: (index % columns) * width, y: Math.floor(index / columns) * height, width, height }
  // Without `rotate` the spooler turns a page that does not match the orientation of its cell.
  const isAcross = page.width > page.height !== width > height && page.width !== page.height
  const rotation = options.rotate || (isAcross ? 90 : 0)
  const rotated = rotation % 180 === 0 ? page : { width: page.height, height: page.width }
  const fit = Math.min(width / rotated.width, height / rotated.height)
  const scale = nup > 1 || options.fit_to_page ? fit : options.fit_to_page === false ? 1 : Math.min(1, fit)
  const drawn = { width: rotated.width * scale, height: rotated.height * scale }
  return {
    ...drawn,
    x: cell.x + (width - drawn.width) / 2,
    y: cell.y + (height - drawn.height) / 2,
    cell,
    rotation,
    scale,
  }
}

function chunk<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
