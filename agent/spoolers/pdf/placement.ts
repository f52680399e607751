/** The position of pages on a sheet and their order. Pure. Reference: docs/agent-platforms.md#placement-of-pages. */
import { selectPageRanges } from '../page-ranges.ts'

/** In pixels of the printer. */
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** In pixels of the printer. */
export interface Sheet {
  dpiX: number
  dpiY: number
  /** The printable area. */
  printable: { width: number; height: number }
  /** The whole sheet. */
  physical: { width: number; height: number }
  /** The position of the printable area on the sheet. */
  offset: { x: number; y: number }
}

export interface PlacementOptions {
  /** Degrees clockwise. 0 has the effect of no value: a page is rotated if it fits the sheet better. */
  rotate?: number
  /** True scales to the printable area, false prints at 100 %. Without a value only larger pages are scaled. */
  fit?: boolean
}

/** Relative to the upper left corner of the printable area. Can exceed the area. */
export interface Placement extends Rectangle {
  /** Quarter turns, clockwise. */
  quarterTurns: number
}

const POINTS_PER_INCH = 72

/** One millimetre. Drivers and programs round paper sizes differently. */
const TOLERANCE_INCHES = 1 / 25.4

/** A sheet with a larger ratio of height to width is a roll. Smaller pages are placed at its beginning. */
const ROLL_RATIO = 3

/** The rotation of CUPS for a landscape page on a portrait sheet: the top of the page is on the left. */
const AUTOMATIC_QUARTER_TURNS = 3

/** @param page the displayed size in points. */
export function placePage(
  page: { width: number; height: number },
  sheet: Sheet,
  { rotate = 0, fit }: PlacementOptions,
): Placement {
  const quarterTurns = rotate === 0 ? getAutomaticTurns(page, sheet, fit) : rotate / 90
  const rotated = quarterTurns % 2 === 0 ? page : { width: page.height, height: page.width }
  const atFullSize = {
    width: (rotated.width / POINTS_PER_INCH) * sheet.dpiX,
    height: (rotated.height / POINTS_PER_INCH) * sheet.dpiY,
  }
  const { printable, physical, offset } = sheet
  const isLarger =
    atFullSize.width > physical.width + TOLERANCE_INCHES * sheet.dpiX ||
    atFullSize.height > physical.height + TOLERANCE_INCHES * sheet.dpiY
  // The corner of the page is the corner of the sheet, which documents made for the paper expect.
  if (fit === false || (fit === undefined && !isLarger))
    return { quarterTurns, x: -offset.x, y: -offset.y, ...roundSize(atFullSize) }

  const scale = Math.min(printable.width / atFullSize.width, printable.height / atFullSize.height)
  const size = roundSize({ width: atFullSize.width * scale, height: atFullSize.height * scale })
  const isRoll = physical.height > ROLL_RATIO * physical.width
  return {
    quarterTurns,
    x: Math.round((printable.width - size.width) / 2),
    y: isRoll ? 0 : Math.round((printable.height - size.height) / 2),
    ...size,
  }
}

/** A page in another orientation than the sheet is rotated if it does not fit the sheet or is scaled to it. */
function getAutomaticTurns(
  page: { width: number; height: number },
  { physical, dpiX, dpiY }: Sheet,
  fit?: boolean,
): number {
  const sheet = { width: physical.width / dpiX, height: physical.height / dpiY }
  const hasOtherOrientation = (page.width - page.height) * (sheet.width - sheet.height) < 0
  const isTooLarge =
    page.width / POINTS_PER_INCH > sheet.width + TOLERANCE_INCHES ||
    page.height / POINTS_PER_INCH > sheet.height + TOLERANCE_INCHES
  return hasOtherOrientation && (isTooLarge || fit === true) ? AUTOMATIC_QUARTER_TURNS : 0
}

const roundSize = ({ width, height }: { width: number; height: number }) => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})

/**
 * The indexes of the printed pages, from 0. Each page is printed once, in the order of the document.
 *
 * @param pages `1-3,7,9-`; undefined for all.
 * @throws SpoolerRefusal if the document has none of the pages.
 */
export function selectPages(pages: string | undefined, count: number): { indexes: number[]; warnings: string[] } {
  const all = Array.from({ length: count }, (_, index) => index)
  if (pages === undefined) return { indexes: all, warnings: [] }
  const { ranges, warnings } = selectPageRanges(pages, count)
  if (ranges.length === 0) return { indexes: all, warnings }
  const isSelected = (page: number) => ranges.some(({ lower, upper }) => lower <= page && page <= upper)
  return { indexes: all.filter((index) => isSelected(index + 1)), warnings }
}

export interface Copies {
  /** The copies that the driver makes. */
  byDriver: number
  /** How many times the pages are sent in sequence. */
  sets: number
  /** In duplex, an odd set ends with an empty page. Otherwise the next set would begin on its back. */
  blankBetween: boolean
}

/**
 * Each of the `qty` sets is complete, and the driver makes the `copies` of a set. The driver makes all copies of a
 * single page. Copies that the driver cannot make are sent again.
 *
 * @param maximum the maximum of copies that the driver makes.
 */
export function planCopies(
  pages: number,
  { qty, copies, maximum, duplex }: { qty: number; copies: number; maximum: number; duplex: boolean },
): Copies {
  if (pages === 1 && qty * copies <= maximum) return { byDriver: qty * copies, sets: 1, blankBetween: false }
  const byDriver = copies <= maximum ? copies : 1
  const sets = (qty * copies) / byDriver
  return { byDriver, sets, blankBetween: duplex && pages % 2 === 1 && sets > 1 }
}
