/** Lines of text fields: their widths, how `^FB` and `^TB` break them, and how they are drawn. */
import type { Canvas } from '../canvas.ts'
import { type Color, type Matrix, multiply, translate } from '../display-list.ts'
import { getFont0Advance } from '../fonts/font-0.ts'
import type { Face } from './fonts.ts'

/** `^FB` and `^TB`. */
export interface Block {
  width: number
  maxLines: number
  lineGap: number
  justify: 'L' | 'C' | 'R' | 'J'
  indent: number
  /** `^TB`: lines that do not fit are not printed. `^FB` prints them over the last line. */
  cut: boolean
}

/** Stands for `\\` of `^FB` until the text is decoded. */
const BACKSLASH = '\u0001'
/** Where `\-` allows a hyphen. */
const SOFT_HYPHEN = '\u0002'

/** Replaces the escapes of `^FB`. */
export const readBlockEscapes = (text: string): string =>
  text.replace(/\\([&\\-])/g, (_, char) => (char === '&' ? '\n' : char === '-' ? SOFT_HYPHEN : BACKSLASH))

export const finishBlockEscapes = (text: string): string => text.replaceAll(BACKSLASH, '\\')

export function measure(text: string, face: Face, gap: number): number {
  if (face.kind === 'cells') return [...text].length * (face.advance + gap)
  let width = 0
  for (const char of text) width += (getFont0Advance(char) * face.width) / 1000 + gap
  return width
}

interface Line {
  text: string
  /** The last line of a paragraph is not justified. */
  ends: boolean
}

/** Breaks at spaces; a word that is wider than the block is broken where it ends. */
function breakLines(text: string, face: Face, gap: number, block: Block): Line[] {
  const lines: Line[] = []
  for (const paragraph of text.split('\n')) {
    const width = () => block.width - (lines.length > 0 ? block.indent : 0)
    let line = ''
    for (const word of paragraph.split(/ /)) {
      const joined = line ? `${line} ${word}` : word
      if (measure(visible(joined), face, gap) <= width()) {
        line = joined
        continue
      }
      if (line) lines.push({ text: visible(line), ends: false })
      line = word
      while (measure(visible(line), face, gap) > width() && [...line].length > 1) {
        const length = fitting(line, face, gap, width())
        lines.push({
          text: `${visible(line.slice(0, length))}${line[length - 1] === SOFT_HYPHEN ? '-' : ''}`,
          ends: false,
        })
        line = line.slice(length)
        // Further lines are printed over each other.
        if (lines.length > block.maxLines + 1 && block.cut) break
      }
    }
    lines.push({ text: visible(line), ends: true })
  }
  return lines
}

const visible = (text: string): string => text.replaceAll(SOFT_HYPHEN, '')

/** @returns how many characters fit, up to the last soft hyphen if one fits, but at least one. */
function fitting(text: string, face: Face, gap: number, width: number): number {
  let used = 0
  let length = 0
  for (const char of text) {
    if (char !== SOFT_HYPHEN) used += measure(char, face, gap)
    if (used > width && length > 0) break
    length += char.length
  }
  const hyphen = text.lastIndexOf(SOFT_HYPHEN, length - 1)
  return hyphen > 0 ? hyphen + 1 : Math.max(1, length)
}

/** Draws one line with its baseline at 0. */
export function drawLine(
  canvas: Canvas,
  text: string,
  face: Face,
  matrix: Matrix,
  color: Color,
  gaps: { char: number; space: number },
): void {
  if (face.kind === 'scalable') canvas.font0(text, face.width, face.height, matrix, color, gaps)
  else canvas.cells(text, { ...face, advance: face.advance + gaps.char }, matrix, color, gaps.space)
}

/**
 * Draws a block whose upper left corner is at 0.
 *
 * @returns how many lines are below each other, the width of the longest, and how many lines more the text has.
 */
export function drawBlock(
  canvas: Canvas,
  text: string,
  face: Face,
  block: Block,
  gap: number,
  matrix: Matrix,
  color: Color,
): { lines: number; width: number; lost: number } {
  const lines = breakLines(text, face, gap, block)
  const pitch = face.height + block.lineGap
  lines.forEach((line, index) => {
    if (index >= block.maxLines && block.cut) return
    const indent = index > 0 ? block.indent : 0
    const free = block.width - indent - measure(line.text, face, gap)
    const spaces = line.text.split(' ').length - 1
    const justified = block.justify === 'J' && !line.ends && spaces > 0
    const x = indent + (block.justify === 'C' ? free / 2 : block.justify === 'R' ? free : 0)
    const y = Math.min(index, block.maxLines - 1) * pitch + face.baseline
    const gaps = { char: gap, space: justified ? free / spaces : 0 }
    drawLine(canvas, line.text, face, multiply(matrix, translate(x, y)), color, gaps)
  })
  return {
    lines: Math.min(lines.length, block.maxLines),
    width: lines.reduce((width, line) => Math.max(width, measure(line.text, face, gap)), 0),
    lost: lines.filter(({ text }, index) => index >= block.maxLines && text !== '').length,
  }
}
