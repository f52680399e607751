/** The size of a label or receipt on which a page is drawn. Pure. */
import type { PlacementOptions, Sheet } from '../pdf/placement.ts'
import type { RasterPrinter } from './raster-printer.ts'

/** The paper of a raw printer, in tenths of a millimetre; a roll has no height. */
export interface RasterPaper {
  width: number
  height?: number
}

const POINTS_PER_INCH = 72
const TENTHS_PER_INCH = 254
const TOLERANCE_INCHES = 1 / 25.4

/** A page is rotated from this multiple of the width of the sheet on. A page that is not as wide is scaled instead. */
const ROTATED_FROM = 1.2

/**
 * Without a paper the height of the sheet is that of the page. A label in landscape is rotated if it is much too wide
 * and then fits.
 *
 * @param page the displayed size in points.
 */
export function toSheet(
  page: { width: number; height: number },
  { rawLanguage, dpi, width: head }: RasterPrinter,
  paper: RasterPaper | undefined,
  { rotate = 0, fit }: PlacementOptions,
): Sheet {
  const width = Math.max(1, Math.min(head, paper ? Math.round((paper.width / TENTHS_PER_INCH) * dpi) : head))
  const sides = [page.width, page.height].map((points) => (points / POINTS_PER_INCH) * dpi)
  const [w = 0, h = 0] = rotate % 180 === 0 ? sides : sides.toReversed()
  const isTooWide = w > width + TOLERANCE_INCHES * dpi
  const isScaled = fit === true || (fit === undefined && isTooWide)
  const isLandscape = rawLanguage === 'zpl' && rotate === 0 && w > ROTATED_FROM * width
  const fitsRotated = isLandscape && isScaled && h <= width + TOLERANCE_INCHES * dpi
  const own = fitsRotated ? w : isScaled ? (h * width) / w : h
  const height = Math.max(1, Math.round(paper?.height ? (paper.height / TENTHS_PER_INCH) * dpi : own))
  const area = { width, height }
  return { dpiX: dpi, dpiY: dpi, printable: area, physical: area, offset: { x: 0, y: 0 } }
}
