/** A field of a label, from its position to `^FS`, and how it is drawn. */
import type { Bitmap } from '../bitmap.ts'
import { type Canvas, ellipse } from '../canvas.ts'
import { isUtf8 } from '../code-pages.ts'
import { type Color, type Matrix, multiply, translate } from '../display-list.ts'
import { SymbolError } from '../symbols.ts'
import { BAR_CODES } from './bar-codes.ts'
import type { BarDefaults, Caption } from './draw-symbol.ts'
import { decodeField } from './encodings.ts'
import { type Font, toFace } from './fonts.ts'
import type { Orientation, Parameters } from './parameters.ts'
import { type Placed, toPlaced } from './placement.ts'
import type { Shape } from './shapes.ts'
import { type Block, drawBlock, drawLine, finishBlockEscapes, measure, readBlockEscapes } from './text.ts'

/** The content of `^FD`, one character per byte. */
export interface FieldData {
  bytes: string
  characterSet: number
}

export type Content =
  | { kind: 'text'; font: Font; block?: Block; textBlockHeight?: number; gap: number }
  | { kind: 'barCode'; letter: string; parameters: Parameters; by: BarDefaults }
  | { kind: 'symbol'; height: number; width: number }
  | { kind: 'shape'; shape: Shape; white: boolean }
  | { kind: 'bitmap'; bitmap: Bitmap; scaleX: number; scaleY: number }

export interface Field {
  /** The position of the command that began it. */
  offset: number
  x: number
  y: number
  /** `^FT`: the position is that of the baseline. */
  typeset: boolean
  /** `^FT` without values: after the previous field. */
  automatic: boolean
  positioned: boolean
  /** The position is the right end. */
  right: boolean
  orientation: Orientation
  reverse: boolean
  content: Content
  data?: FieldData
  /** `^FN` */
  number?: number
}

export interface DrawContext {
  canvas: Canvas
  dotsPerMm: number
  /** The end of the previous field, for `^FT` without values. */
  end: { x: number; y: number }
  /** The fields that have ink. */
  placed: Placed[]
  warn: (offset: number, message: string) => void
}

/** @param data of the field or of its `^FN`. Text and bar codes without data put nothing on the label. */
export function drawField(context: DrawContext, field: Field, data: FieldData | undefined): void {
  const { content } = field
  const { canvas } = context
  const color: Color = field.reverse ? 'invert' : 'black'
  if (content.kind === 'shape') {
    const { path, width, height } = content.shape
    const at = toMatrix({ ...field, orientation: 'N' }, width, height, height)
    context.placed.push(toPlaced(field.offset, 'box or line', at, width, height))
    canvas.path(path, at, content.white && !field.reverse ? 'white' : color)
  } else if (content.kind === 'bitmap') {
    const { bitmap, scaleX, scaleY } = content
    const [width, height] = [bitmap.width * scaleX, bitmap.height * scaleY]
    const at = toMatrix({ ...field, orientation: 'N' }, width, height, height)
    context.placed.push(toPlaced(field.offset, 'graphic', at, width, height))
    canvas.bitmap(bitmap, multiply(at, [scaleX, 0, 0, scaleY, 0, 0]), color)
  } else if (data?.bytes) {
    if (content.kind === 'symbol') drawSymbol(context, field, content, data.bytes, color)
    else if (content.kind === 'barCode') drawBarCode(context, field, content, data, color)
    else drawText(context, field, content, data, color)
  }
}

/**
 * @returns the matrix from a field whose upper left corner is at 0 to the label.
 * @param baseline of the field, from its upper edge, which `^FT` puts on the position.
 */
function toMatrix(field: Field, width: number, height: number, baseline: number): Matrix {
  const { y, orientation, typeset } = field
  const x = field.right ? field.x - (orientation === 'N' || orientation === 'I' ? width : height) : field.x
  if (typeset) {
    if (orientation === 'R') return [0, 1, -1, 0, x + baseline, y]
    if (orientation === 'I') return [-1, 0, 0, -1, x, y + baseline]
    if (orientation === 'B') return [0, -1, 1, 0, x - baseline, y]
    return translate(x, y - baseline)
  }
  if (orientation === 'R') return [0, 1, -1, 0, x + height, y]
  if (orientation === 'I') return [-1, 0, 0, -1, x + width, y + height]
  if (orientation === 'B') return [0, -1, 1, 0, x, y + width]
  return translate(x, y)
}

function drawText(
  context: DrawContext,
  field: Field,
  content: Extract<Content, { kind: 'text' }>,
  data: FieldData,
  color: Color,
): void {
  const { canvas, end } = context
  const face = toFace(content.font)
  const isBlock = content.block !== undefined
  const decoded = decodeField(isBlock ? readBlockEscapes(data.bytes) : data.bytes, data.characterSet)
  const cased = face.kind === 'cells' && face.upperCase ? decoded.toUpperCase() : decoded
  const text = finishBlockEscapes(cased)
  if (data.characterSet !== UTF8 && isUtf8(data.bytes))
    context.warn(field.offset, 'The text is UTF-8, but the label does not select it with ^CI28.')
  if (content.block) {
    const maxLines = content.textBlockHeight
      ? Math.max(1, Math.floor(content.textBlockHeight / face.height))
      : content.block.maxLines
    const block = { ...content.block, maxLines }
    const height = face.height * maxLines + block.lineGap * (maxLines - 1)
    const lastBaseline = (maxLines - 1) * (face.height + block.lineGap) + face.baseline
    const matrix = toMatrix(field, block.width, height, lastBaseline)
    const { lines, width, lost } = drawBlock(canvas, text, face, block, content.gap, matrix, color)
    if (lost > 0) context.warn(field.offset, describeLost(block, lost))
    const blockHeight = lines * (face.height + block.lineGap)
    const inBlock = block.justify === 'L' ? width : block.width
    context.placed.push(toPlaced(field.offset, 'text', matrix, inBlock, blockHeight))
    return
  }
  const width = measure(text, face, content.gap)
  const at = field.automatic ? { ...field, ...end } : field
  const matrix = toMatrix(at, width, face.height, face.baseline)
  context.placed.push(toPlaced(field.offset, 'text', matrix, width, face.baseline))
  drawLine(canvas, text, face, multiply(matrix, translate(0, face.baseline)), color, { char: content.gap, space: 0 })
  setEnd(end, matrix, width, face.baseline)
}

/** The number of `^CI`. */
const UTF8 = 28
/** The length of the data in a message. */
const SHOWN_MAX = 40

const describeLost = ({ cut, maxLines }: Block, lost: number) =>
  cut
    ? `The text has ${lost} lines more than its block of ^TB, which are not printed.`
    : `The text has ${lost} lines more than the ${maxLines} of ^FB, which are printed over the last one.`

/** Where `^FT` without values continues: at the end of the text, on its baseline. */
function setEnd(end: DrawContext['end'], [a, b, c, d, e, f]: Matrix, width: number, baseline: number): void {
  Object.assign(end, { x: a * width + c * baseline + e, y: b * width + d * baseline + f })
}

function drawBarCode(
  context: DrawContext,
  field: Field,
  content: Extract<Content, { kind: 'barCode' }>,
  data: FieldData,
  color: Color,
): void {
  const draw = BAR_CODES[content.letter]
  const text = decodeField(data.bytes, data.characterSet)
  context.canvas.budget.spendSymbol(text.length)
  try {
    const symbol = draw?.(text, content.parameters, content.by, context.dotsPerMm)
    if (!symbol) return
    const moved = { ...field, y: field.y + ((field.typeset ? symbol.dropFT : symbol.dropFO) ?? 0) }
    const matrix = toMatrix(moved, symbol.width, symbol.height, symbol.height)
    const quiet = { along: 0, across: 0, ...symbol.quiet }
    const what = `bar code ^B${content.letter}`
    context.placed.push(toPlaced(field.offset, what, matrix, symbol.width, symbol.height, quiet))
    if (symbol.changed !== undefined)
      context.warn(
        field.offset,
        `The ${what} cannot hold ${JSON.stringify(text.slice(0, SHOWN_MAX))}. Printed is ${symbol.changed}.`,
      )
    context.canvas.path(symbol.path, matrix, color)
    for (const caption of symbol.captions) drawCaption(context.canvas, caption, matrix, color)
  } catch (error) {
    if (!(error instanceof SymbolError)) throw error
    context.warn(field.offset, `The bar code ^B${content.letter} cannot be printed: ${error.message}.`)
  }
}

function drawCaption(
  canvas: Canvas,
  { text, x, y, advance, width, capital }: Caption,
  matrix: Matrix,
  color: Color,
): void {
  const left = x - ([...text].length * advance) / 2
  canvas.cells(text, { advance, capital, width }, multiply(matrix, translate(left, y)), color)
}

/** The letters of `^GS`, in a ring unless they are a trade mark. */
const SYMBOLS: Record<string, string | undefined> = { A: 'R', B: 'C', C: 'TM', D: 'UL', E: 'CSA' }

function drawSymbol(
  { canvas, end }: DrawContext,
  field: Field,
  { width, height }: { width: number; height: number },
  bytes: string,
  color: Color,
): void {
  let x = 0
  const at = field.automatic ? { ...field, ...end } : field
  const matrix = toMatrix(at, width * bytes.length, height, height * 0.75)
  setEnd(end, matrix, width * bytes.length, height * 0.75)
  for (const letter of bytes.toUpperCase()) {
    const text = SYMBOLS[letter]
    const position = multiply(matrix, translate(x, 0))
    x += width
    if (!text) continue
    const ring = text !== 'TM'
    if (ring) {
      const border = Math.max(1, height / 14)
      const [r, inner] = [width / 2, width / 2 - border]
      const hole = `M${r - inner} ${r}a${inner} ${inner} 0 1 1 ${2 * inner} 0a${inner} ${inner} 0 1 1 ${-2 * inner} 0z`
      canvas.path(ellipse(r, r, r, r) + hole, multiply(position, [1, 0, 0, height / width, 0, 0]), color)
    }
    const size = (ring ? 0.62 : 0.9) * (text.length > 1 ? 0.75 : 1)
    const face = { kind: 'scalable', height: height * size, width: width * size, baseline: 0 } as const
    const left = (width - measure(text, face, 0)) / 2
    drawLine(canvas, text, face, multiply(position, translate(left, height / 2 + height * size * 0.37)), color, {
      char: 0,
      space: 0,
    })
  }
}
