/** Collects the items of one page, within the budget of the document. */
import { type Bitmap, toPng } from './bitmap.ts'
import type { Budget } from './budget.ts'
import { type Color, type FontName, type Glyph, IDENTITY, type Item, type Matrix, multiply } from './display-list.ts'
import { getFont0Advance } from './fonts/font-0.ts'
import { CONDENSED, MONO } from './fonts/outlines.ts'

/** Advance of Roboto Mono in thousandths of an em. */
const MONO_ADVANCE = 600
/** Height of a capital letter of both fonts in thousandths of an em. */
const CAPITAL = 711

/** More say nothing new. */
const MISSING_MAX = 5

/** What is drawn for a character that no font has. */
const REPLACEMENT = 'M80 0L80-700L420-700L420 0ZM120-40L380-40L380-660L120-660Z'

export class Canvas {
  items: Item[] = []
  /** Characters that no font has. */
  readonly missing = new Set<string>()
  readonly budget: Budget

  constructor(budget: Budget) {
    this.budget = budget
  }

  path(path: string, matrix: Matrix, color: Color = 'black'): void {
    this.budget.spendItems(1)
    this.budget.spendPath(path.length)
    if (path) this.items.push({ kind: 'path', path, matrix, color })
  }

  bitmap(bitmap: Bitmap, matrix: Matrix, color: Color = 'black'): void {
    this.budget.spendItems(1)
    this.budget.spendBitmap(bitmap.bits.length)
    if (!bitmap.width || !bitmap.height) return
    const png = toPng(bitmap, color === 'black' ? 'black' : 'white')
    this.items.push({ kind: 'bitmap', png, width: bitmap.width, height: bitmap.height, matrix, color })
  }

  /**
   * Draws text of font 0, with the baseline at 0.
   *
   * @param width, height of the font in dots.
   * @param gaps additional dots after each character, and after each space.
   */
  font0(text: string, width: number, height: number, matrix: Matrix, color: Color, gaps = { char: 0, space: 0 }): void {
    // Capitals of font 0 are three quarters of its height.
    const scaleY = (height * 0.75) / CAPITAL
    let x = 0
    this.#text(text, 'condensed', color, (char, code) => {
      const advance = (getFont0Advance(char) / 1000) * width
      const scaleX = advance / (CONDENSED[code]?.[0] || 500)
      const glyph = multiply(matrix, [scaleX, 0, 0, scaleY, x, 0])
      x += advance + gaps.char + (char === ' ' ? gaps.space : 0)
      return glyph
    })
  }

  /**
   * Draws text in cells of equal width, with the baseline at 0.
   *
   * @param cell the advance of a character, its width with bearings, and the height of a capital letter, in dots.
   */
  cells(
    text: string,
    cell: { advance: number; capital: number; width: number },
    matrix: Matrix,
    color: Color,
    spaceGap = 0,
  ): void {
    const scaleX = cell.width / MONO_ADVANCE
    const scaleY = cell.capital / CAPITAL
    let x = (cell.advance - cell.width) / 2
    this.#text(text, 'mono', color, (char) => {
      const glyph = multiply(matrix, [scaleX, 0, 0, scaleY, x, 0])
      x += cell.advance + (char === ' ' ? spaceGap : 0)
      return glyph
    })
  }

  #text(text: string, font: FontName, color: Color, toMatrix: (char: string, code: number) => Matrix): void {
    const outlines = font === 'mono' ? MONO : CONDENSED
    const glyphs: Glyph[] = []
    this.budget.spendItems(text.length)
    for (const char of text) {
      const code = char.codePointAt(0) ?? 0
      const matrix = toMatrix(char, code)
      const drawn = outlines[code] ? code : (SUBSTITUTES[char] ?? 0)
      if (drawn && outlines[drawn]?.[1]) glyphs.push({ code: drawn, matrix })
      else if (!drawn && char > ' ') {
        if (this.missing.size < MISSING_MAX) this.missing.add(char)
        this.path(REPLACEMENT, matrix, color)
      }
    }
    if (glyphs.length > 0) this.items.push({ kind: 'text', text, font, glyphs, color })
  }

  /** Moves all items, for example by the orientation of the label. */
  transform(matrix: Matrix): void {
    if (matrix === IDENTITY) return
    this.items = this.items.map((item) =>
      item.kind === 'text'
        ? { ...item, glyphs: item.glyphs.map((glyph) => ({ ...glyph, matrix: multiply(matrix, glyph.matrix) })) }
        : { ...item, matrix: multiply(matrix, item.matrix) },
    )
  }
}

/** Characters that the fonts lack, with similar ones. */
const SUBSTITUTES: Record<string, number | undefined> = { '\u2011': 0x2d, '\u2212': 0x2d, '\u25a0': 0x2022 }

export const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`

/** @returns the ellipse as two arcs. */
export const ellipse = (cx: number, cy: number, rx: number, ry: number): string =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`

/** @returns rectangles of the set dots, the runs of a row joined. */
export function toRuns(
  rows: { width: number; height: number; isSet: (x: number, y: number) => boolean },
  width: number,
  height: number,
): string {
  let path = ''
  for (let y = 0; y < rows.height; y++) {
    for (let x = 0; x < rows.width; x++) {
      if (!rows.isSet(x, y)) continue
      const first = x
      while (x < rows.width && rows.isSet(x, y)) x++
      path += rectangle(first * width, y * height, (x - first) * width, height)
    }
  }
  return path
}
