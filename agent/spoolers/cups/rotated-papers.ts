/**
 * Custom papers that a raster filter would print across. Ghostscript and pdftoraster use an offered paper whose height
 * and width differ from the width and height of the custom paper by less than 1 %, and rotate the page for it. Pure.
 */

/** Hundredths of a millimetre. */
export interface Size {
  x: number
  y: number
}

/** CUPS itself uses an offered paper whose sides differ by less than 5 points. */
const SAME_HUNDREDTHS = 176

const POINT_HUNDREDTHS = 36

/** CUPS rounds sizes down to points. */
const getTolerance = (side: number) => Math.ceil(side / 100) + POINT_HUNDREDTHS

/** @returns the offered paper that the filter would use; undefined if it does not rotate the page. */
export function findRotated(size: Size, offered: Size[]): Size | undefined {
  const isClose = (a: number, b: number, tolerance: number) => Math.abs(a - b) < tolerance
  if (offered.some(({ x, y }) => isClose(size.x, x, SAME_HUNDREDTHS) && isClose(size.y, y, SAME_HUNDREDTHS))) return
  return offered.find(({ x, y }) => isClose(size.x, y, getTolerance(y)) && isClose(size.y, x, getTolerance(x)))
}

/**
 * @returns the same size, or the nearest wider or else longer one for which pages are not rotated; undefined if the
 *   printer supports none.
 */
export function avoidRotation(size: Size, offered: Size[], isSupported: (size: Size) => boolean): Size | undefined {
  if (!findRotated(size, offered)) return size
  for (const [side, other] of [
    ['x', 'y'],
    ['y', 'x'],
  ] as const) {
    const larger = { ...size }
    for (let paper = findRotated(larger, offered); paper; paper = findRotated(larger, offered))
      larger[side] = paper[other] + getTolerance(paper[other])
    if (isSupported(larger)) return larger
  }
  return undefined
}
