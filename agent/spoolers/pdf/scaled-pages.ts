/** The warning about pages that are larger than the paper. Pure. */
import { formatSize } from '../ignored-option.ts'
import type { DocumentWarning } from '../spooler.ts'

interface Size {
  width: number
  height: number
}

/** Programs and drivers round sizes. */
const SCALED_BELOW = 0.99

const TENTHS_PER_POINT = 254 / 72

export interface ScaledPage {
  /** In points. */
  page: Size
  /** In tenths of a millimetre. */
  paper: Size
  /** 1 is 100 %. */
  scale: number
}

/**
 * @returns the scale of a page that is made smaller to fit the paper; CUPS and printers rotate it if it is then larger.
 */
export function toScale(page: Size, paper: Size): number {
  const [width, height] = [page.width * TENTHS_PER_POINT, page.height * TENTHS_PER_POINT]
  const upright = Math.min(paper.width / width, paper.height / height)
  const rotated = Math.min(paper.width / height, paper.height / width)
  return Math.min(1, Math.max(upright, rotated))
}

/** @returns the warning about the page that is made smallest; none if no page is made smaller. */
export function warnOfScale(pages: ScaledPage[]): DocumentWarning[] {
  const [smallest] = pages.filter(({ scale }) => scale < SCALED_BELOW).toSorted((a, b) => a.scale - b.scale)
  if (!smallest) return []
  const { page, paper, scale } = smallest
  const size = formatSize({
    width: Math.round(page.width * TENTHS_PER_POINT),
    height: Math.round(page.height * TENTHS_PER_POINT),
  })
  const message = `A page of ${size} was printed at ${Math.round(scale * 100)} % to fit the paper of ${formatSize(paper)}.`
  return [{ reason: 'page-scaled', message }]
}
