/** Draws the pages of a PDF as data for a raw printer. Runs in a process of its own: `pdf/inspections.ts`. */
import { open } from 'node:fs/promises'
import { openPdf, type PdfPages } from '../pdf/pages.ts'
import { refusePage } from '../pdf/pdfium.ts'
import { type PlacementOptions, placePage, type Rectangle, selectPages } from '../pdf/placement.ts'
import { type ScaledPage, warnOfScale } from '../pdf/scaled-pages.ts'
import type { DocumentWarning } from '../spooler.ts'
import { toBitmap } from './bitmap.ts'
import { encodeEscpos } from './encode-escpos.ts'
import { encodeZpl } from './encode-zpl.ts'
import type { RasterPrinter } from './raster-printer.ts'
import { type RasterPaper, toSheet } from './sheet.ts'

export interface DrawnWarnings {
  warnings: string[]
  documentWarnings: DocumentWarning[]
}

export interface Drawing {
  printer: RasterPrinter
  /** Undefined: the page decides. */
  paper?: RasterPaper
  /** The value of the option; undefined for all. */
  pages?: string
  placement: PlacementOptions
}

/** Pixels of one page: 3.4 m of a receipt, 1 m of a label of 4 inches at 203 dpi. */
const PIXELS_MAX = 16_000_000

/** Four bytes a pixel. */
const STRIP_BYTES = 4 * 1024 * 1024

const POINTS_PER_INCH = 72
const TENTHS_PER_INCH = 254

/**
 * @param output gets the data.
 * @returns warnings about the option `pages`, and about pages that were made smaller.
 * @throws SpoolerRefusal for a damaged document, one without the selected pages, or a page that is too long.
 */
export async function drawPdf(file: string, output: string, drawing: Drawing): Promise<DrawnWarnings> {
  const pdf = await openPdf(file)
  const { indexes, warnings } = selectPages(drawing.pages, pdf.count)
  const to = await open(output, 'wx', 0o600)
  try {
    const scaled: ScaledPage[] = []
    for (const index of indexes) {
      const { data, ...page } = drawPage(pdf, index, drawing)
      scaled.push(page)
      await to.writeFile(data)
    }
    const { rotate, fit } = drawing.placement
    return { warnings, documentWarnings: rotate === undefined && fit === undefined ? warnOfScale(scaled) : [] }
  } finally {
    await to.close()
  }
}

function drawPage(
  pdf: PdfPages,
  index: number,
  { printer, paper, placement: options }: Drawing,
): ScaledPage & { data: Buffer } {
  const size = pdf.getSize(index)
  const sheet = toSheet(size, printer, paper, options)
  const { width, height } = sheet.physical
  if (width * height > PIXELS_MAX) throw refusePage(index, 'is too long for this printer')
  const placement = placePage(size, sheet, options)
  const view = { pageWidth: placement.width, pageHeight: placement.height, quarterTurns: placement.quarterTurns }
  const gray = renderGray(pdf, index, sheet.physical, { ...placement, ...view })
  const images = pdf
    .getImageAreas(index, view)
    .map((area) => ({ ...area, x: area.x + placement.x, y: area.y + placement.y }))
  const bitmap = toBitmap(gray, width, height, images)
  const side = placement.quarterTurns % 2 === 0 ? size.width : size.height
  const data =
    printer.rawLanguage === 'zpl' ? encodeZpl(bitmap, { width: printer.width, height }) : encodeEscpos(bitmap)
  const toTenths = (dots: number) => Math.round((dots / printer.dpi) * TENTHS_PER_INCH)
  return {
    data,
    page: size,
    paper: { width: toTenths(width), height: toTenths(height) },
    scale: placement.width / ((side / POINTS_PER_INCH) * printer.dpi),
  }
}

type Placed = Rectangle & { pageWidth: number; pageHeight: number; quarterTurns: number }

/** @returns one byte a pixel of the sheet. */
function renderGray(
  pdf: PdfPages,
  index: number,
  sheet: { width: number; height: number },
  placed: Placed,
): Uint8Array {
  const gray = new Uint8Array(sheet.width * sheet.height).fill(255)
  const left = Math.max(0, placed.x)
  const width = Math.min(sheet.width, placed.x + placed.width) - left
  const bottom = Math.min(sheet.height, placed.y + placed.height)
  const stripHeight = Math.max(1, Math.floor(STRIP_BYTES / 4 / Math.max(1, width)))
  for (let top = Math.max(0, placed.y); width > 0 && top < bottom; top += stripHeight) {
    const height = Math.min(stripHeight, bottom - top)
    const part = { x: left - placed.x, y: top - placed.y, width, height }
    const { pageWidth, pageHeight, quarterTurns } = placed
    const pixels = pdf.render(index, { pageWidth, pageHeight, quarterTurns, gray: true, part })
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) gray[(top + y) * sheet.width + left + x] = pixels[(y * width + x) * 4] ?? 255
  }
  return gray
}
