/**
 * Crops the pages of a document: the option `crop`. The crop box is written into the document, so all spoolers print
 * the same part. Reference: docs/reference/options.md#crop.
 */
import type { JsonValue } from '@bufbuild/protobuf'
import { type Box, type Boxes, toVisible, withPage } from './boxes.ts'
import type { PdfPages } from './pages.ts'
import type { PdfDocument } from './pdfium.ts'
import type { Rectangle } from './placement.ts'

/**
 * A box in tenths of a millimetre from the upper left corner of the page as it is shown; `auto`: the box of the ink
 * with a margin.
 */
export type Crop = 'auto' | Rectangle

export interface Cropped {
  /** Indexes of the pages. */
  pages: Set<number>
  /** Why the option has no effect, as the end of a sentence. */
  ignored?: string
}

const POINTS_PER_TENTH = 72 / 254

/** 1 mm. A smaller page cannot be meant. */
const SIDE_MIN_POINTS = 10 * POINTS_PER_TENTH

/** 3 mm, the quiet zone of most bar codes. */
const MARGIN_POINTS = 30 * POINTS_PER_TENTH

/**
 * The longer edge of a page that is searched for ink: A4 with 72 dpi, so that a pixel is a small part of the margin.
 */
const EDGE_PIXELS = 842

/** Brighter pixels are paper: scanners do not return white. */
const INK_BELOW = 240

/** The time for all pages of a document. The process has twice this time. */
const TIME_MAX_MS = 60_000

const BOX = /^(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})$/

/** @returns undefined for a value that no service sends. */
export function parseCrop(value: JsonValue): Crop | undefined {
  if (value === 'auto') return value
  const [, ...sides] = BOX.exec(String(value)) ?? []
  const [x = 0, y = 0, width = 0, height = 0] = sides.map(Number)
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/**
 * Sets the crop boxes of all pages, or of none if a limit is exceeded. Its content is cut off by `repairPage`.
 *
 * @param pdf the same document for drawing. Its pages are not changed. @param boxes by page.
 */
export function cropPages(document: PdfDocument, pdf: PdfPages, boxes: Boxes[], crop: Crop): Cropped {
  const deadline = performance.now() + TIME_MAX_MS
  const found = new Map<number, Box>()
  const outside: number[] = []
  for (const [index, own] of boxes.entries()) {
    if (performance.now() > deadline) return { pages: new Set(), ignored: 'its pages take too long to be searched' }
    const size = pdf.getSize(index)
    const area = crop === 'auto' ? findInk(pdf, index) : scale(crop, POINTS_PER_TENTH)
    if (!area) continue
    const part = intersect(area, size)
    if (part.width < SIDE_MIN_POINTS || part.height < SIDE_MIN_POINTS) outside.push(index + 1)
    else found.set(index, toPageBox(document, index, { part, size, visible: toVisible(own) }))
  }
  // A page that is used twice is found twice before it is changed.
  for (const [index, { left, bottom, right, top }] of found)
    withPage(document, index, (page) => document.pdfium.FPDFPage_SetCropBox(page, left, bottom, right, top))
  return { pages: new Set(found.keys()), ...(outside.length > 0 && { ignored: toOutside(outside) }) }
}

const toOutside = ([first = 0, ...more]: number[]) =>
  `the box is outside of page ${first}${more.length > 0 ? ' and others' : ''}`

/**
 * @returns the box of the pixels that are not white, with the margin, in points of the page as it is shown; undefined
 *   for an empty page.
 */
function findInk(pdf: PdfPages, index: number): Rectangle | undefined {
  const size = pdf.getSize(index)
  const unit = Math.max(size.width, size.height) / EDGE_PIXELS
  const [pageWidth = 1, pageHeight = 1] = [size.width, size.height].map((side) => Math.max(1, Math.round(side / unit)))
  const part = { x: 0, y: 0, width: pageWidth, height: pageHeight }
  const pixels = pdf.render(index, { pageWidth, pageHeight, quarterTurns: 0, gray: true, part })
  let [left, top, right, bottom] = [pageWidth, pageHeight, 0, 0]
  for (let y = 0, at = 0; y < pageHeight; y++)
    for (let x = 0; x < pageWidth; x++, at += 4) {
      if ((pixels[at] ?? 255) >= INK_BELOW) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = y + 1
    }
  if (bottom === 0) return undefined
  const { x, y, width, height } = scale({ x: left, y: top, width: right - left, height: bottom - top }, unit)
  const margin = MARGIN_POINTS
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin }
}

const scale = ({ x, y, width, height }: Rectangle, factor: number): Rectangle => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
})

function intersect(area: Rectangle, page: { width: number; height: number }): Rectangle {
  const [x, y] = [Math.max(0, area.x), Math.max(0, area.y)]
  const width = Math.min(page.width, area.x + area.width) - x
  const height = Math.min(page.height, area.y + area.height) - y
  return { x, y, width, height }
}

interface Part {
  part: Rectangle
  /** The size with the rotation and the unit of the page. */
  size: { width: number; height: number }
  /** The visible box without the rotation and the unit. */
  visible: Box
}

/** @returns a part of the page as it is shown in the coordinates of its boxes. */
function toPageBox(document: PdfDocument, index: number, { part, size, visible }: Part): Box {
  const quarterTurns = withPage(document, index, (page) => document.pdfium.FPDFPage_GetRotation(page))
  const unit = (quarterTurns % 2 === 0 ? size.width : size.height) / (visible.right - visible.left)
  const { x, y, width, height } = scale(part, 1 / unit)
  const { left, bottom, right, top } = visible
  switch (quarterTurns) {
    case 1:
      return { left: left + y, bottom: bottom + x, right: left + y + height, top: bottom + x + width }
    case 2:
      return { left: right - x - width, bottom: bottom + y, right: right - x, top: bottom + y + height }
    case 3:
      return { left: right - y - height, bottom: top - x - width, right: right - y, top: top - x }
    default:
      return { left: left + x, bottom: top - y - height, right: left + x + width, top: top - y }
  }
}
