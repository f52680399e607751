/**
 * What a printer would print, as data: the only thing that the interpreters write and that `svg.ts` reads. All
 * coordinates are dots of the printer, y downwards from the upper left corner.
 */

/** The matrix of SVG and Canvas: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** `invert` exchanges black and white below it, as reversed fields do. */
export type Color = 'black' | 'white' | 'invert'

export type FontName = 'condensed' | 'mono'

export interface Glyph {
  /** A code point of the font's table in `fonts/outlines.ts`. */
  code: number
  /** From thousandths of an em, with the baseline at 0, to the page. */
  matrix: Matrix
}

export type Item =
  | { kind: 'path'; path: string; matrix: Matrix; color: Color }
  | { kind: 'text'; text: string; font: FontName; glyphs: Glyph[]; color: Color }
  /**
   * One bit per dot as PNG in base64. Unset dots are transparent; set dots are black, or white if `color` is not
   * `black`.
   */
  | { kind: 'bitmap'; png: string; width: number; height: number; matrix: Matrix; color: Color }

export interface Warning {
  /** The position of the command in the document, in bytes. */
  offset: number
  message: string
}

/** What a receipt printer does beside printing. */
export interface PageEvent {
  kind: 'cut' | 'drawer' | 'buzzer'
  /** In dots, where the paper is at that moment. */
  y: number
}

export interface Page {
  widthMm: number
  heightMm: number
  dpi: number
  /** In dots. */
  width: number
  height: number
  items: Item[]
  events: PageEvent[]
  /** The lines of a receipt as text. A label has none. */
  lines: string[]
  warnings: Warning[]
}

export interface Preview {
  language: 'zpl' | 'escpos'
  pages: Page[]
}

const MM_PER_INCH = 25.4

/** Printers with 203 dpi have 8 dots per mm, those with 300 dpi 12, with 600 dpi 24. */
export const toDotsPerMm = (dpi: number): number => Math.round(dpi / MM_PER_INCH)

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** @returns the matrix that applies `inner` first. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export const translate = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y]
