/** How the pages of a document come out on paper. Pure. Reference: docs/reference/options.md#placement. */
import type { PrintOptions } from '../../../api/gen/schema.ts'
import { type Paper, POINTS_PER_TENTH } from './paper.ts'

export type { PrintOptions }

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

/** A page as the document shows it, with its `/Rotate`. */
export interface Page extends Size {
  /** `/Rotate` in degrees. */
  rotate: number
}

/** In points from the top left of the sheet as it is read. */
export interface Box extends Size {
  x: number
  y: number
}

/** Where one page is drawn. */
export interface Placement extends Box {
  /** Nothing is printed outside of it. */
  clip: Box
  /** Clockwise, in addition to that of the page. */
  rotation: number
  scale: number
}

/** How pages come out on one side of a sheet. */
export interface Layout {
  /** In points, as it is read. */
  sheet: Size
  /** Pages are not printed in their own size. */
  isScaled: boolean
  /** The resolution of the dots that are shown; undefined if colours are. */
  dpi?: number
  /** @param index of the page on its side. */
  toPlacement(page: Page, index: number): Placement
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

/** With `nup`, `pages` selects sides: CUPS counts them after it has put several pages on each. */
export function toSheets(pageCount: number, { pages, nup, duplex }: PrintOptions): Sheet[] {
  const all = chunk(selectPages(null, pageCount), nup ?? 1)
  const sides = selectPages(pages, all.length).map((side) => all[side - 1] ?? [])
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

/** Points by which a page can exceed a sheet that the agent rotates it to. */
const EXCESS = 72 / 25.4
/** The size of a page relative to the sheet, from which CUPS shrinks it. */
const LARGER = 1.02

/**
 * Whether all pages are scaled to the sheet. Without `fit_to_page` they are if one of them is larger.
 *
 * @param pages all of the document, because CUPS and the agent do not compare the selected ones only.
 */
export function isScaled(pages: Page[], sheet: Size, { fit_to_page: fit, rotate }: PrintOptions): boolean {
  if (typeof fit === 'boolean') return fit
  if (isQuarter(rotate))
    return pages.some(({ width, height }) => height > sheet.width + EXCESS || width > sheet.height + EXCESS)
  const [short, long] = sort(sheet)
  return pages.some((page) => {
    const [pageShort, pageLong] = sort(page)
    return Math.floor(pageShort / LARGER) > short || Math.floor(pageLong / LARGER) > long
  })
}

const CROP = /^(\d+),(\d+),(\d+),(\d+)$/
/** 1 mm: the agent keeps a page that shows less of its box. */
const SIDE_MIN = 10 * POINTS_PER_TENTH

/**
 * @returns the part of the page that the agent prints, from its upper left corner. The whole page for `auto`, since
 *   only the agent finds the ink.
 */
export function cropPage(page: Page, crop: PrintOptions['crop']): Page & Box {
  const sides = CROP.exec(crop ?? '')?.slice(1) ?? []
  const [x = 0, y = 0, width = 0, height = 0] = sides.map((side) => Number(side) * POINTS_PER_TENTH)
  const box = intersect({ x, y, width, height }, { ...page, x: 0, y: 0 })
  const part = box.width < SIDE_MIN || box.height < SIDE_MIN ? { ...page, x: 0, y: 0 } : box
  return { ...part, rotate: page.rotate }
}

/**
 * The layout of a printer with a driver.
 *
 * @param page whose size the sheet has without a paper. @param pages those that `isScaled` compares.
 */
export function layOut(page: Page, pages: Page[], paper: Paper | undefined, options: PrintOptions): Layout {
  const { width, height } = cropPage(page, options.crop)
  const size = paper
    ? { width: paper.width, height: paper.height ?? (height * paper.width) / width }
    : { width, height }
  const scaled = isScaled(
    pages.map((one) => cropPage(one, options.crop)),
    size,
    options,
  )
  return {
    sheet: toReadSize(size, options),
    isScaled: scaled,
    toPlacement: (one, index) => placePart(one, options.crop, (part) => placePage(part, size, index, options, scaled)),
  }
}

/**
 * @param toPlacement of the part of the page that is printed.
 * @returns the place of the whole page, of which the clip shows the part.
 */
export function placePart(page: Page, crop: PrintOptions['crop'], toPlacement: (part: Page) => Placement): Placement {
  const part = cropPage(page, crop)
  const placed = toPlacement(part)
  const { x, y } = rotateBox(part, page, placed.rotation)
  return { ...placed, x: placed.x - x * placed.scale, y: placed.y - y * placed.scale }
}

/** Columns and rows. With 2 or 6 pages the sheet is turned by a quarter. */
const GRIDS: Record<number, [columns: number, rows: number]> = { 2: [2, 1], 6: [3, 2] }

/** The sheet as it is read. */
export function toReadSize(sheet: Size, { nup, rotate }: PrintOptions): Size {
  return isSideways(nup) && !isQuarter(rotate) ? swap(sheet) : sheet
}

/**
 * Does what CUPS does: `test/cups/sheet-cases.ts` compares both.
 *
 * @param sheet as its paper is named, width by height.
 * @param index of the page on its side.
 * @param scaled by `isScaled`.
 */
export function placePage(page: Page, sheet: Size, index: number, options: PrintOptions, scaled: boolean): Placement {
  const nup = options.nup ?? 1
  const rotate = options.rotate ?? 0
  const isAcross = sheet.width > sheet.height
  // The pages are put on `side`, and the side is turned to the sheet as it is read.
  const side = isSideways(nup) !== isQuarter(rotate) ? swap(sheet) : sheet
  const sideRotation = isSideways(nup) && isQuarter(rotate) ? rotate - 90 : rotate
  // Without `rotate` a page that does not match the orientation of the paper is turned.
  const pageRotation = !rotate && page.width > page.height !== isAcross ? 90 : 0
  const oriented = pageRotation ? swap(page) : page

  const [columns, rows] = toGrid(nup, isQuarter(rotate) !== isAcross)
  const cell = { width: side.width / columns, height: side.height / rows }
  const scaleToCell = (size: Size) => Math.min(cell.width / size.width, cell.height / size.height)
  // What fills the cell: the page, or a paper with the page in its center. CUPS ignores `/Rotate` when it rotates this
  // paper.
  const paper = isQuarter(rotate) !== (rotate !== 0 && isQuarter(page.rotate)) ? swap(sheet) : sheet
  const unit = scaled ? oriented : paper
  const scale = nup > 1 || scaled ? scaleToCell(unit) : 1
  const cellAt = { x: (index % columns) * cell.width, y: Math.floor(index / columns) * cell.height }
  const size = resize(unit, scale)
  const clip =
    nup > 1 || scaled ? center(size, { ...cellAt, ...cell }) : { ...size, x: 0, y: side.height - size.height }
  const placed = center(resize(oriented, scale), clip)
  return {
    ...rotateBox(placed, side, sideRotation),
    clip: rotateBox(intersect(placed, clip), side, sideRotation),
    rotation: (pageRotation + sideRotation) % 360,
    scale,
  }
}

const isQuarter = (degrees: number | null | undefined) => (degrees ?? 0) % 180 !== 0
const isSideways = (nup: number | null | undefined) => (nup ?? 1) in GRIDS
const swap = ({ width, height }: Size): Size => ({ width: height, height: width })
const sort = ({ width, height }: Size) => [Math.min(width, height), Math.max(width, height)] as const
const resize = ({ width, height }: Size, scale: number): Size => ({ width: width * scale, height: height * scale })

function toGrid(nup: number, isSwapped: boolean): [columns: number, rows: number] {
  const [columns, rows] = GRIDS[nup] ?? [Math.sqrt(nup), Math.sqrt(nup)]
  return isSwapped ? [rows, columns] : [columns, rows]
}

const center = ({ width, height }: Size, area: Box): Box => ({
  x: area.x + (area.width - width) / 2,
  y: area.y + (area.height - height) / 2,
  width,
  height,
})

export function intersect(a: Box, b: Box): Box {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)]
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  }
}

/** @param degrees by which the whole side is turned, clockwise. */
function rotateBox({ x, y, width, height }: Box, side: Size, degrees: number): Box {
  const [right, bottom] = [side.width - x - width, side.height - y - height]
  if (degrees === 90) return { x: bottom, y: x, width: height, height: width }
  if (degrees === 180) return { x: right, y: bottom, width, height }
  if (degrees === 270) return { x: y, y: right, width: height, height: width }
  return { x, y, width, height }
}

function chunk<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
