/** Commands that draw shapes, and that store and draw graphics. */
import { type Bitmap, readPng } from '../bitmap.ts'
import { SIDE_MAX_DOTS } from '../budget.ts'
import { decodeGraphic } from './graphic-data.ts'
import type { Parameters } from './parameters.ts'
import { GRAPHIC_MAX_BYTES, type Handler, type Printer, toObjectName } from './printer.ts'
import { box, diagonal, ring, type Shape } from './shapes.ts'
import type { Command } from './tokenize.ts'

/** The parameters after the first `count`, as one. */
function restAfter(text: string, delimiter: string, count: number): string {
  let at = 0
  for (let index = 0; index < count; index++) {
    const next = text.indexOf(delimiter, at)
    if (next < 0) return ''
    at = next + 1
  }
  return text.slice(at)
}

const shape =
  (make: (parameters: Parameters) => { content: Shape; colorAt: number }): Handler =>
  (printer, parameters, { offset }) => {
    const { content, colorAt } = make(parameters)
    if (!printer.field.positioned) printer.field.offset = offset
    printer.field.graphic = {
      kind: 'shape',
      shape: content,
      white: parameters.text(colorAt, 'B').toUpperCase() === 'W',
    }
  }

const drawStored =
  (scaled: boolean): Handler =>
  (printer, parameters, { offset }) => {
    const name = toObjectName(parameters.text(0, ''), 'GRF')
    const bitmap = printer.graphics.get(name)
    if (!bitmap) return printer.warn(offset, `The document does not define the graphic ${name}.`)
    const [scaleX, scaleY] = scaled ? [parameters.number(1, 1, 1, 10), parameters.number(2, 1, 1, 10)] : [1, 1]
    printer.field.graphic = { kind: 'bitmap', bitmap, scaleX, scaleY }
  }

const downloadsFont: Handler = (printer, parameters, { offset }) =>
  printer.warn(offset, `The font ${parameters.text(0, '')} is drawn as font 0.`)

export const GRAPHIC_COMMANDS: Record<string, Handler | undefined> = {
  '^GB': shape((parameters) => ({
    content: box(
      parameters.dots(0, 1),
      parameters.dots(1, 1),
      Math.max(1, parameters.dots(2, 1)),
      parameters.number(4, 0, 0, 8),
    ),
    colorAt: 3,
  })),
  '^GC': shape((parameters) => ({
    content: ring(parameters.dots(0, 3), parameters.dots(0, 3), Math.max(1, parameters.dots(1, 1))),
    colorAt: 2,
  })),
  '^GE': shape((parameters) => ({
    content: ring(parameters.dots(0, 3), parameters.dots(1, 3), Math.max(1, parameters.dots(2, 1))),
    colorAt: 3,
  })),
  '^GD': shape((parameters) => ({
    content: diagonal(
      parameters.dots(0, 3),
      parameters.dots(1, 3),
      Math.max(1, parameters.dots(2, 1)),
      /^[L\\]$/i.test(parameters.text(4, 'R')) ? 'L' : 'R',
    ),
    colorAt: 3,
  })),
  '^GS': (printer, parameters) => {
    printer.field.orientation = parameters.orientation(0, printer.orientation)
    const height = parameters.dots(1, 0) || parameters.dots(2, 0) || printer.font.height
    const size = { height, width: parameters.dots(2, 0) || height }
    printer.field.symbol = { height: Math.max(1, size.height), width: Math.max(1, size.width) }
  },
  '^GF': (printer, parameters, { text, offset }) => {
    const { delimiter } = printer.syntax
    const [total, rowBytes] = [parameters.number(2, 0, 0, GRAPHIC_MAX_BYTES), parameters.number(3, 0, 0, 9_999)]
    const rest = restAfter(text, delimiter, 4)
    const binary = parameters.text(0, 'A').toUpperCase() === 'B' && !rest.startsWith(':')
    const bitmap = binary ? toBinaryBitmap(rest, total, rowBytes) : printer.toBitmap(rest, total, rowBytes, offset)
    if (bitmap) printer.field.graphic = { kind: 'bitmap', bitmap, scaleX: 1, scaleY: 1 }
  },
  '~DG': (printer, parameters, { text, offset }) => {
    const [total, rowBytes] = [parameters.number(1, 0, 0, GRAPHIC_MAX_BYTES), parameters.number(2, 0, 0, 9_999)]
    const bitmap = printer.toBitmap(restAfter(text, printer.syntax.delimiter, 3), total, rowBytes, offset)
    if (bitmap) printer.graphics.set(toObjectName(parameters.text(0, ''), 'GRF'), bitmap)
  },
  '~DY': downloadObject,
  '~DU': downloadsFont,
  '~DN': () => undefined,
  '^XG': drawStored(true),
  '^IM': drawStored(false),
  '^ID': (printer, parameters) => {
    const pattern = toObjectName(parameters.text(0, ''), 'GRF')
    const [head = '', tail = ''] = pattern.split('*', 2)
    const matches = (name: string) =>
      pattern.includes('*') ? name.startsWith(head) && name.endsWith(tail.replaceAll('*', '')) : name === pattern
    for (const name of printer.graphics.keys()) if (matches(name)) printer.graphics.delete(name)
    for (const name of printer.formats.keys()) if (matches(name)) printer.formats.delete(name)
  },
}

function toBinaryBitmap(bytes: string, total: number, rowBytes: number): Bitmap | undefined {
  if (!(rowBytes > 0) || rowBytes * 8 > SIDE_MAX_DOTS) return undefined
  const bits = Uint8Array.from(bytes.slice(0, total), (char) => char.charCodeAt(0))
  return { width: rowBytes * 8, height: Math.min(SIDE_MAX_DOTS, Math.ceil(bits.length / rowBytes)), bits }
}

/** `~DY`: graphics, PNG files and fonts. */
function downloadObject(printer: Printer, parameters: Parameters, { text, offset }: Command): void {
  const [format, kind] = [parameters.text(1, 'A').toUpperCase(), parameters.text(2, 'G').toUpperCase()]
  const total = parameters.number(3, 0, 0, GRAPHIC_MAX_BYTES)
  const data = restAfter(text, printer.syntax.delimiter, 5)
  const name = parameters.text(0, '')
  if (kind === 'T' || kind === 'E') {
    downloadsFont(printer, parameters, { name: '~DY', text, offset })
  } else if (kind === 'G') {
    const rowBytes = parameters.number(4, 0, 0, 9_999)
    const bitmap =
      format === 'B' ? toBinaryBitmap(data, total, rowBytes) : printer.toBitmap(data, total, rowBytes, offset)
    if (bitmap) printer.graphics.set(toObjectName(name, 'GRF'), bitmap)
  } else if (kind === 'P') {
    try {
      const { bytes } =
        format === 'B'
          ? { bytes: Uint8Array.from(data, (char) => char.charCodeAt(0)) }
          : decodeGraphic(data, total, total)
      printer.graphics.set(toObjectName(name, 'PNG'), readPng(bytes))
    } catch {
      printer.warn(offset, `The PNG file ${name} cannot be read.`)
    }
  } else printer.warn(offset, `The picture does not show objects of the kind ${kind} of ~DY.`)
}
