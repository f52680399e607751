/** Finds fields that are not wholly on their label, and bar codes whose quiet zone is not. */
import type { Matrix } from '../display-list.ts'

/** Smaller differences are those of fonts and rounding. */
const TOLERANCE_DOTS = 2

/** Where a field is, from the upper left corner of the label. */
export interface Placed {
  /** The position of the field in the document. */
  offset: number
  /** For example "text", "bar code ^BC". */
  what: string
  left: number
  top: number
  right: number
  bottom: number
  /** Dots of white that scanners need, to the left and right, and above and below; 0 for none. */
  quiet: { x: number; y: number }
}

/**
 * @param matrix from the field, whose upper left corner is at 0, to the label.
 * @param quiet along the field and across it.
 */
export function toPlaced(
  offset: number,
  what: string,
  [a, b, c, d, e, f]: Matrix,
  width: number,
  height: number,
  quiet = { along: 0, across: 0 },
): Placed {
  const [x, y] = [a * width + c * height, b * width + d * height]
  const isRotated = a === 0
  return {
    offset,
    what,
    left: Math.min(e, e + x),
    right: Math.max(e, e + x),
    top: Math.min(f, f + y),
    bottom: Math.max(f, f + y),
    quiet: isRotated ? { x: quiet.across, y: quiet.along } : { x: quiet.along, y: quiet.across },
  }
}

/** @returns what is wrong with the place of a field on a label of this size, as a sentence; undefined if nothing is. */
export function findOverlap(placed: Placed, width: number, height: number): string | undefined {
  const { what, left, top, right, bottom, quiet } = placed
  if (right <= 0 || bottom <= 0 || left >= width || top >= height) return `The ${what} is outside of the label.`
  const beyond = [
    [right - width, 'ends', 'beyond the right edge of'],
    [bottom - height, 'ends', 'below'],
    [-left, 'begins', 'before the left edge of'],
    [-top, 'begins', 'above'],
  ] as const
  const [dots, verb, where] = beyond.toSorted(([one], [other]) => other - one)[0] ?? [0, '', '']
  if (dots > TOLERANCE_DOTS) return `The ${what} ${verb} ${Math.ceil(dots)} dots ${where} the label.`
  const missing = Math.max(
    quiet.x && quiet.x - Math.min(left, width - right),
    quiet.y && quiet.y - Math.min(top, height - bottom),
  )
  if (missing > TOLERANCE_DOTS)
    return `The quiet zone of the ${what} is ${Math.ceil(missing)} dots too narrow at the edge of the label, so scanners may not read it.`
  return undefined
}
