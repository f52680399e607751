/** How an agent draws a page for a label or receipt printer, by the code of the agent. Pure. */
import { placePage } from '@platen/agent/spoolers/pdf/placement.ts'
import { toBitmap } from '@platen/agent/spoolers/raster/bitmap.ts'
import type { RasterPrinter } from '@platen/agent/spoolers/raster/raster-printer.ts'
import { toSheet } from '@platen/agent/spoolers/raster/sheet.ts'
import type { Raster } from '../../../api/gen/schema.ts'
import { type Paper, POINTS_PER_TENTH } from './paper.ts'
import {
  type Box,
  cropPage,
  intersect,
  type Layout,
  type Page,
  type Placement,
  type PrintOptions,
  placePart,
  type Size,
} from './sheets.ts'

const POINTS_PER_INCH = 72
/** The size of a picture in dots. A longer receipt is shown in colours. */
const DOTS_MAX = 4_000_000
/** The tolerance for a page that is printed in its own size, whose sides are whole dots. */
const ROUNDING = 0.01

/** @param paper undefined for the width of the printer, and a height by the page. */
export function layOutDrawn(page: Page, raster: Raster, paper: Paper | undefined, options: PrintOptions): Layout {
  const toPlaced = (part: Page) => placeDrawn(part, raster, paper, options)
  const { sheet, placement } = toPlaced(cropPage(page, options.crop))
  const dots = (sheet.width * sheet.height * raster.dpi ** 2) / POINTS_PER_INCH ** 2
  return {
    sheet,
    isScaled: Math.abs(placement.scale - 1) > ROUNDING,
    ...(dots <= DOTS_MAX && { dpi: raster.dpi }),
    toPlacement: (one) => placePart(one, options.crop, (part) => toPlaced(part).placement),
  }
}

/** @param page the part that is printed, by `cropPage`. */
function placeDrawn(
  page: Page,
  { rawLanguage, dpi, width }: Raster,
  paper: Paper | undefined,
  { rotate, fit_to_page: fit }: PrintOptions,
): { sheet: Size; placement: Placement } {
  const options = { ...(rotate && { rotate }), ...(typeof fit === 'boolean' && { fit }) }
  // Other languages, which a later agent can have, are placed as receipts.
  const printer = { rawLanguage: rawLanguage as RasterPrinter['rawLanguage'], dpi, width }
  const dots = toSheet(page, printer, paper && toTenths(paper), options)
  const { quarterTurns, ...placed } = placePage(page, dots, options)
  const sheet = toPoints({ x: 0, y: 0, ...dots.physical }, dpi)
  const box = toPoints(placed, dpi)
  const scale = box.width / (quarterTurns % 2 === 0 ? page.width : page.height)
  return { sheet, placement: { ...box, clip: intersect(box, sheet), rotation: quarterTurns * 90, scale } }
}

/** Replaces colours by the dots of the printer. @param images their areas in pixels. */
export function drawDots({ data, width, height }: ImageData, images: Box[]): void {
  const gray = Uint8Array.from({ length: width * height }, (_, at) => toGray(data, at * 4))
  const { dots, bytesPerRow } = toBitmap(gray, width, height, images)
  for (let at = 0; at < gray.length; at++) {
    const x = at % width
    // White rows at the end are omitted.
    const byte = dots[Math.floor(at / width) * bytesPerRow + (x >> 3)] ?? 0
    data.fill(byte & (0x80 >> (x & 7)) ? 0 : 255, at * 4, at * 4 + 3)
  }
}

/** With the weights of PDFium. */
const toGray = (data: Uint8ClampedArray, at: number) =>
  Math.round((30 * (data[at] ?? 255) + 59 * (data[at + 1] ?? 255) + 11 * (data[at + 2] ?? 255)) / 100)

const toTenths = ({ width, height }: Paper) => ({
  width: Math.round(width / POINTS_PER_TENTH),
  ...(height && { height: Math.round(height / POINTS_PER_TENTH) }),
})

function toPoints({ x, y, width, height }: Box, dpi: number): Box {
  const points = POINTS_PER_INCH / dpi
  return { x: x * points, y: y * points, width: width * points, height: height * points }
}
