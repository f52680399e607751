/** The fonts of `^A`, `^CF` and `^CW`. */

/** A font that is scaled freely, or a bitmap font in multiples of its cell. */
export interface Font {
  name: string
  /** In dots, 0 where the document leaves it out. */
  height: number
  width: number
}

/**
 * Cells of the bitmap fonts in dots. `baseline` is measured from the top of the cell, `capital` is the height of a
 * capital letter.
 */
// biome-ignore format: a table
const CELLS: Record<string, { height: number; width: number; advance: number; baseline: number; capital: number } | undefined> = {
  A: { height: 9, width: 5, advance: 6, baseline: 7, capital: 7 },
  B: { height: 11, width: 7, advance: 9, baseline: 11, capital: 11 },
  C: { height: 18, width: 10, advance: 12, baseline: 14, capital: 14 },
  D: { height: 18, width: 10, advance: 12, baseline: 14, capital: 14 },
  E: { height: 28, width: 15, advance: 20, baseline: 23, capital: 22 },
  F: { height: 26, width: 13, advance: 16, baseline: 21, capital: 21 },
  G: { height: 60, width: 40, advance: 48, baseline: 48, capital: 48 },
  H: { height: 21, width: 13, advance: 19, baseline: 21, capital: 21 },
}

/** Cells of the resident fonts P to V: scalable font 0 in fixed sizes. */
const RESIDENT: Record<string, readonly [height: number, width: number] | undefined> = {
  P: [20, 18],
  Q: [28, 24],
  R: [35, 31],
  S: [40, 35],
  T: [48, 42],
  U: [59, 53],
  V: [80, 71], // biome-ignore format: a table
}

const MAGNIFICATION_MAX = 10
const SCALABLE_MIN_DOTS = 10
const SCALABLE_MAX_DOTS = 32_000

export type Face =
  | { kind: 'scalable'; height: number; width: number; baseline: number }
  | {
      kind: 'cells'
      height: number
      advance: number
      width: number
      capital: number
      baseline: number
      upperCase: boolean
    }

const isBitmapFont = (name: string): boolean => CELLS[name] !== undefined
export const isResidentFont = (name: string): boolean =>
  name === '0' || isBitmapFont(name) || RESIDENT[name] !== undefined

/** @returns the font at the size that a printer can print. */
export function toFace({ name, height, width }: Font): Face {
  const cell = CELLS[name]
  if (!cell) {
    const [defaultHeight, defaultWidth] = RESIDENT[name] ?? [0, 0]
    const scaled = clamp(height || width || defaultHeight || 15)
    const scaledWidth = clamp(width || height || defaultWidth || 12)
    return { kind: 'scalable', height: scaled, width: scaledWidth, baseline: scaled * 0.75 }
  }
  const byHeight = height ? magnify(height / cell.height) : 0
  const byWidth = width ? magnify(width / cell.width) : 0
  const [down, across] = [byHeight || byWidth || 1, byWidth || byHeight || 1]
  return {
    kind: 'cells',
    height: cell.height * down,
    advance: cell.advance * across,
    width: cell.advance * across,
    capital: cell.capital * down,
    baseline: cell.baseline * down,
    upperCase: name === 'B' || name === 'H',
  }
}

const magnify = (factor: number): number => Math.min(MAGNIFICATION_MAX, Math.max(1, Math.round(factor)))
const clamp = (dots: number): number => Math.min(SCALABLE_MAX_DOTS, Math.max(SCALABLE_MIN_DOTS, dots))
