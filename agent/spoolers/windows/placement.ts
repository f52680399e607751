/** The position of pages on a sheet and their order. Pure. Reference: docs/agent-platforms.md#placement-of-pages. */
import { parsePageRanges } from '../page-ranges.ts'
import type { Rectangle, Sheet } from './winspool.ts'

export interface PlacementOptions {
  /** Degrees clockwise. 0 means the same as nothing: a page is turned where that suits the sheet. */
  rotate?: number
  /** True scales to the printable area, false prints at 100 %; nothing makes smaller what is larger than the sheet. */
  fit?: boolean
}

/** Counted from the upper left corner of what can be printed on; may reach beyond it. */
export interface Placement extends Rectangle {
  /** Quarters, clockwise. */
  turn: number
}

const POINTS_PER_INCH = 72

/** A millimetre. Sizes of papers are rounded differently by everybody. */
const TOLERANCE_INCHES = 1 / 25.4

/** From there on a sheet is a roll: what is smaller lies at its beginning. */
const ROLL_RATIO = 3

/** As CUPS turns a landscape page for a portrait sheet: its top comes to lie on the left. */
const TO_SUIT = 3

/** @param page in points, as a reader sees it. */
export function placePage(
  page: { width: number; height: number },
  sheet: Sheet,
  { rotate = 0, fit }: PlacementOptions,
): Placement {
  const turn = rotate === 0 ? suitingTurn(page, sheet, fit) : rotate / 90
  const turned = turn % 2 === 0 ? page : { width: page.height, height: page.width }
  const atFullSize = {
    width: (turned.width / POINTS_PER_INCH) * sheet.dpiX,
    height: (turned.height / POINTS_PER_INCH) * sheet.dpiY,
  }
  const { printable, physical, offset } = sheet
  const isLarger =
    atFullSize.width > physical.width + TOLERANCE_INCHES * sheet.dpiX ||
    atFullSize.height > physical.height + TOLERANCE_INCHES * sheet.dpiY
  // The page's corner on the sheet's corner: what a program that knows its paper expects.
  if (fit === false || (fit === undefined && !isLarger))
    return { turn, x: -offset.x, y: -offset.y, ...rounded(atFullSize) }

  const scale = Math.min(printable.width / atFullSize.width, printable.height / atFullSize.height)
  const size = rounded({ width: atFullSize.width * scale, height: atFullSize.height * scale })
  const isRoll = physical.height > ROLL_RATIO * physical.width
  return {
    turn,
    x: Math.round((printable.width - size.width) / 2),
    y: isRoll ? 0 : Math.round((printable.height - size.height) / 2),
    ...size,
  }
}

/** A page that lies across a sheet that stands is turned when it does not fit otherwise, or would be smaller than it could be. */
function suitingTurn(page: { width: number; height: number }, { physical, dpiX, dpiY }: Sheet, fit?: boolean): number {
  const sheet = { width: physical.width / dpiX, height: physical.height / dpiY }
  const isAcross = (page.width - page.height) * (sheet.width - sheet.height) < 0
  const isTooLarge =
    page.width / POINTS_PER_INCH > sheet.width + TOLERANCE_INCHES ||
    page.height / POINTS_PER_INCH > sheet.height + TOLERANCE_INCHES
  return isAcross && (isTooLarge || fit === true) ? TO_SUIT : 0
}

const rounded = ({ width, height }: { width: number; height: number }) => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})

/**
 * The numbers of the pages that are printed, from 0: each once, in the document's order.
 *
 * @param pages `1-3,7,9-`; undefined for all.
 * @returns nothing when the document has none of them.
 */
export function selectPages(pages: string | undefined, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index)
  const ranges = pages === undefined ? [] : parsePageRanges(pages)
  if (ranges.length === 0) return all
  return all.filter((index) => ranges.some(({ lower, upper }) => lower <= index + 1 && index + 1 <= upper))
}

export interface Copies {
  /** How often the driver is told to print each sheet. */
  byDriver: number
  /** How often the pages are sent, one set after the other. */
  sets: number
  /** On both sides an odd set ends with an empty one, or the next would begin on its back. */
  blankBetween: boolean
}

/**
 * `qty` sets come out whole, and of each set `copies` as the driver makes them. A single page needs no sets: the driver prints it often
 * enough by itself. What the driver cannot repeat is sent again.
 *
 * @param most the largest count that the driver takes.
 */
export function planCopies(
  pages: number,
  { qty, copies, most, duplex }: { qty: number; copies: number; most: number; duplex: boolean },
): Copies {
  if (pages === 1 && qty * copies <= most) return { byDriver: qty * copies, sets: 1, blankBetween: false }
  const byDriver = copies <= most ? copies : 1
  const sets = (qty * copies) / byDriver
  return { byDriver, sets, blankBetween: duplex && pages % 2 === 1 && sets > 1 }
}
