/** The page of an image. Pure. Reference: docs/reference/print-jobs.md#images. */

import type { Resolution } from './read-resolution.ts'

export interface Size {
  width: number
  height: number
}

/** What an image can be printed on. */
export interface Sheets {
  /**
   * Sizes in tenths of a millimetre; a roll has no height. An image without a usable resolution is fitted to the first
   * one.
   */
  papers: { width: number; height?: number }[]
  /** Resolutions of the printer, in dots per inch. */
  dpis: number[]
}

export interface Layout {
  /** In points (1/72 inch). */
  page: Size
  /** The image on it, centred. */
  image: Size
}

/** Pixels of one page. */
export const PIXELS_MAX = 64_000_000

const POINTS_PER_INCH = 72
const TENTHS_PER_INCH = 254

/** Programs round sizes of papers, and drivers do not scale a page for half a millimetre. */
const TOLERANCE_INCHES = 0.5 / 25.4

/** Programs write other values into images that have no resolution. */
const DENSITY = { min: 72, max: 1_200 }

const A4 = { width: 2_100, height: 2_970 }

/** The limits of a side of a page, in points (ISO 32000-1, annex C.2). */
const SIDE = { min: 3, max: 14_400 }

/**
 * - An image whose pixels are a paper's size at a resolution of the printer keeps one dot for one dot.
 * - Otherwise its own resolution decides, if it is plausible.
 * - Otherwise it fills the first paper, in the orientation of the image.
 *
 * @param pixels as displayed. @param resolution of the image as displayed.
 */
export function layOutImage(pixels: Size, resolution: Resolution | undefined, { papers, dpis }: Sheets): Layout {
  const dpi = dpis.find((one) => papers.some((paper) => fills(pixels, paper, one)))
  if (dpi !== undefined) return limitSides(scale(pixels, POINTS_PER_INCH / dpi))
  const [paper = A4] = papers
  if (!resolution || !isPlausible(resolution.x) || !isPlausible(resolution.y)) return fit(pixels, paper)
  const { x, y } = resolution
  return limitSides({ width: (pixels.width / x) * POINTS_PER_INCH, height: (pixels.height / y) * POINTS_PER_INCH })
}

const isPlausible = (density: number) => density >= DENSITY.min && density <= DENSITY.max

const scale = ({ width, height }: Size, factor: number): Size => ({ width: width * factor, height: height * factor })

/** Whether the pixels are the size of the paper, also in its other orientation. */
function fills({ width, height }: Size, paper: Sheets['papers'][number], dpi: number): boolean {
  const isSide = (dots: number, tenths: number) =>
    Math.abs(dots - (tenths / TENTHS_PER_INCH) * dpi) <= TOLERANCE_INCHES * dpi
  if (paper.height === undefined) return isSide(width, paper.width)
  const [w, h] = [paper.width, paper.height]
  return (isSide(width, w) && isSide(height, h)) || (isSide(width, h) && isSide(height, w))
}

function fit(pixels: Size, paper: Sheets['papers'][number]): Layout {
  const width = (paper.width / TENTHS_PER_INCH) * POINTS_PER_INCH
  if (paper.height === undefined) return limitSides(scale(pixels, width / pixels.width))
  const height = (paper.height / TENTHS_PER_INCH) * POINTS_PER_INCH
  const hasOtherOrientation = (pixels.width - pixels.height) * (width - height) < 0
  const page = hasOtherOrientation ? { width: height, height: width } : { width, height }
  return { page, image: scale(pixels, Math.min(page.width / pixels.width, page.height / pixels.height)) }
}

/** A page is not larger than PDF permits. */
export function limitSides(size: Size): Layout {
  const image = scale(size, Math.min(1, SIDE.max / Math.max(size.width, size.height)))
  return { page: { width: Math.max(SIDE.min, image.width), height: Math.max(SIDE.min, image.height) }, image }
}
