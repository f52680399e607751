/**
 * The state of a receipt printer while it reads a document: how characters look, the line that is being filled, and how
 * far the paper was fed. Commands change it; `interpret.ts` calls them.
 */
import type { Bitmap } from '../bitmap.ts'
import { type Budget, BudgetExceeded, SIDE_MAX_DOTS, WARNINGS_MAX } from '../budget.ts'
import { Canvas, rectangle } from '../canvas.ts'
import { isUtf8 } from '../code-pages.ts'
import {
  type Matrix,
  multiply,
  type Page,
  type PageEvent,
  toDotsPerMm,
  translate,
  type Warning,
} from '../display-list.ts'
import type { Paper } from '../preview.ts'
import type { Code2d } from './bar-codes.ts'
import { drawBoxCharacter } from './boxes.ts'
import { decodeReceipt } from './encodings.ts'

/** Cells of the fonts in dots; capitals stand on the baseline, measured from the top. */
const FONTS = {
  A: { width: 12, height: 24, baseline: 19, capital: 16 },
  B: { width: 9, height: 17, baseline: 14, capital: 12 },
} as const

/** What is printed of paper of 80 mm. */
const DEFAULT_WIDTH_MM = 72

const DEFAULT_LINE_FEED_DOTS = 30

export interface Style {
  font: 'A' | 'B'
  scaleX: number
  scaleY: number
  bold: boolean
  /** Thickness in dots. */
  underline: number
  inverse: boolean
  upsideDown: boolean
  charGap: number
}

const newStyle = (): Style => ({
  font: 'A',
  scaleX: 1,
  scaleY: 1,
  bold: false,
  underline: 0,
  inverse: false,
  upsideDown: false,
  charGap: 0,
})

/** A part of a line. Parts stand on the bottom of the line. */
interface Part {
  x: number
  width: number
  height: number
  text: string
  draw: (matrix: Matrix) => void
}

export class ReceiptPrinter {
  readonly budget: Budget
  readonly canvas: Canvas
  readonly warnings = new Map<string, Warning>()
  readonly events: PageEvent[] = []
  readonly lines: string[] = []
  readonly paper: Paper
  readonly width: number

  style = newStyle()
  table = 0
  country = 0
  utf8 = false
  lineFeed = DEFAULT_LINE_FEED_DOTS
  align: 'left' | 'center' | 'right' = 'left'
  marginLeft = 0
  areaWidth: number | undefined
  tabs: number[] = []
  /** The settings of the next bar code. */
  barCode = { height: 162, module: 3, captions: 0, captionFont: 'A' as 'A' | 'B' }

  /** Images in the memory of the printer: of `GS ( L` and of `GS *`. */
  buffered: { bitmap: Bitmap; scaleX: number; scaleY: number } | undefined
  downloaded: Bitmap | undefined
  /** What `GS ( k` has set, by the number of the code. */
  readonly codes = new Map<number, Code2d>()

  /** The position of the command that is executed, in bytes. */
  offset = 0
  #y = 0
  #x = 0
  #parts: Part[] = []

  constructor(paper: Paper, budget: Budget) {
    this.paper = paper
    this.budget = budget
    this.canvas = new Canvas(budget)
    this.width = Math.max(
      1,
      Math.min(SIDE_MAX_DOTS, Math.round((paper.widthMm ?? DEFAULT_WIDTH_MM) * toDotsPerMm(paper.dpi))),
    )
    this.reset()
  }

  /** `ESC @` */
  reset(): void {
    this.style = newStyle()
    this.table = 0
    this.country = 0
    this.utf8 = false
    this.lineFeed = DEFAULT_LINE_FEED_DOTS
    this.align = 'left'
    this.marginLeft = 0
    this.areaWidth = undefined
    this.tabs = Array.from({ length: 32 }, (_, index) => (index + 1) * 8)
    this.#parts = []
    this.#x = 0
  }

  warn(offset: number, message: string): void {
    if (this.warnings.size < WARNINGS_MAX && !this.warnings.has(message))
      this.warnings.set(message, { offset, message })
  }

  get y(): number {
    return this.#y
  }

  get x(): number {
    return this.#x
  }

  set x(dots: number) {
    this.#x = Math.min(this.usableWidth, Math.max(0, dots))
  }

  get usableWidth(): number {
    return Math.max(1, Math.min(this.areaWidth ?? this.width, this.width - this.marginLeft))
  }

  get charWidth(): number {
    return (FONTS[this.style.font].width + this.style.charGap) * this.style.scaleX
  }

  /** @param bytes one character per byte. */
  text(bytes: string): void {
    if (!this.utf8 && isUtf8(bytes))
      this.warn(this.offset, 'The text is UTF-8, but printers print it in their character table (ESC t).')
    const text = this.utf8
      ? new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
      : decodeReceipt(bytes, this.table, this.country)
    let run = ''
    let runs = this.#x
    const flush = () => {
      if (run) this.#addRun(run)
      run = ''
    }
    for (const char of text) {
      const width = this.charWidth
      if (runs + width > this.usableWidth && runs > 0) {
        flush()
        this.printLine()
        runs = 0
      }
      run += char
      runs += width
    }
    flush()
  }

  #addRun(text: string): void {
    const { style, charWidth } = this
    const width = [...text].length * charWidth
    const height = FONTS[style.font].height * style.scaleY
    this.#parts.push({
      x: this.#x,
      width,
      height,
      text,
      draw: (matrix) => this.#drawRun(text, { ...style, advance: charWidth, width, height }, matrix),
    })
    this.#x += width
  }

  #drawRun(text: string, style: Style & { advance: number; width: number; height: number }, matrix: Matrix): void {
    const font = FONTS[style.font]
    const { advance, height, width } = style
    const color = style.inverse ? 'white' : 'black'
    if (style.inverse) this.canvas.path(rectangle(0, 0, width, height), matrix)
    let boxes = ''
    let letters = ''
    let x = 0
    for (const char of text) {
      const box = drawBoxCharacter(char, advance, height)
      if (box) boxes += box.replace(/M(-?[\d.]+)/g, (_, left) => `M${Number(left) + x}`)
      letters += box ? ' ' : char
      x += advance
    }
    if (boxes) this.canvas.path(boxes, matrix, color)
    const size = font.width * style.scaleX
    const cell = { advance, width: size, capital: font.capital * style.scaleY }
    // The gap is on the right of a character.
    const baseline = multiply(matrix, translate((size - advance) / 2, font.baseline * style.scaleY))
    this.canvas.cells(letters, cell, baseline, color)
    if (style.bold) this.canvas.cells(letters, cell, multiply(baseline, translate(1, 0)), color)
    if (style.underline && !style.inverse)
      this.canvas.path(rectangle(0, height - style.underline, width, style.underline), matrix)
  }

  /** Puts an image of `ESC *` into the line. */
  addImage(bitmap: Bitmap, scaleX: number, scaleY: number): void {
    const width = bitmap.width * scaleX
    this.#parts.push({
      x: this.#x,
      width,
      height: bitmap.height * scaleY,
      text: '',
      draw: (matrix) => this.canvas.bitmap(bitmap, multiply(matrix, [scaleX, 0, 0, scaleY, 0, 0])),
    })
    this.#x += width
  }

  /** Prints something that has lines of its own, such as a bar code, and feeds the paper by its height. */
  printBlock(width: number, height: number, draw: (matrix: Matrix) => void): void {
    if (this.#parts.length > 0) this.printLine()
    const beyond = Math.ceil(width - this.usableWidth)
    if (beyond > 0)
      this.warn(
        this.offset,
        `A bar code or image is ${beyond} dots wider than the paper, and is cut off or not printed.`,
      )
    draw(translate(this.#start(width), this.#y))
    this.feed(height)
  }

  /** `LF`: prints the line and feeds the paper by its height, at least by the line spacing. */
  printLine(feed = this.lineFeed): void {
    const parts = this.#parts
    this.#parts = []
    this.#x = 0
    const width = parts.reduce((sum, part) => Math.max(sum, part.x + part.width), 0)
    const height = parts.reduce((sum, part) => Math.max(sum, part.height), 0)
    const start = this.#start(width)
    const line: Matrix = this.style.upsideDown
      ? [-1, 0, 0, -1, start + width, this.#y + height]
      : translate(start, this.#y)
    for (const part of parts) part.draw(multiply(line, translate(part.x, height - part.height)))
    this.lines.push(toLine(parts))
    this.feed(Math.max(feed, height))
  }

  tab(): void {
    const column = this.#x / this.charWidth
    const next = this.tabs.find((tab) => tab > column + 0.001)
    if (next !== undefined) this.x = next * this.charWidth
  }

  addEvent(kind: PageEvent['kind']): void {
    this.printRest()
    this.events.push({ kind, y: this.#y })
  }

  feedLines(count: number): void {
    for (let line = 0; line < count; line++) {
      this.budget.spendCommand()
      this.lines.push('')
      this.feed(this.lineFeed)
    }
  }

  get hasLine(): boolean {
    return this.#parts.length > 0
  }

  printRest(feed = this.lineFeed): void {
    if (this.hasLine) this.printLine(feed)
  }

  feed(dots: number): void {
    this.#y += Math.max(0, dots)
    if (this.#y > SIDE_MAX_DOTS) throw new BudgetExceeded('lines')
  }

  #start(width: number): number {
    const free = this.usableWidth - width
    return this.marginLeft + (this.align === 'center' ? Math.floor(free / 2) : this.align === 'right' ? free : 0)
  }

  #listWarnings(): Warning[] {
    for (const char of this.canvas.missing)
      this.warn(0, `The font of the picture has no character ${JSON.stringify(char)}, and printers may have none.`)
    return [...this.warnings.values()].sort((a, b) => a.offset - b.offset)
  }

  toPage(): Page {
    const dotsPerMm = toDotsPerMm(this.paper.dpi)
    const height = Math.max(1, Math.ceil(this.#y))
    return {
      widthMm: this.width / dotsPerMm,
      heightMm: height / dotsPerMm,
      dpi: this.paper.dpi,
      width: this.width,
      height,
      items: this.canvas.items,
      events: this.events,
      lines: this.lines,
      warnings: this.#listWarnings(),
    }
  }
}

/** Positions that were skipped are spaces. */
function toLine(parts: Part[]): string {
  let line = ''
  let end = 0
  for (const part of parts) {
    const advance = part.width / Math.max(1, [...part.text].length)
    if (part.text && part.x > end) line += ' '.repeat(Math.round((part.x - end) / advance))
    line += part.text
    end = part.x + part.width
  }
  return line.trimEnd()
}
