/** Commands that begin with `GS`, by the character after it. */
import type { Bitmap } from '../bitmap.ts'
import { newCode2d, printBarCode, printCode2d } from './bar-codes.ts'
import { type Context, type Handler, toName } from './command.ts'
import { toColumns, toRaster } from './images.ts'
import type { ReceiptPrinter } from './printer.ts'
import { Reader, toText } from './reader.ts'

function printImage(printer: ReceiptPrinter, bitmap: Bitmap | undefined, scaleX: number, scaleY: number): void {
  if (!bitmap) return
  printer.printBlock(bitmap.width * scaleX, bitmap.height * scaleY, ([a, b, c, d, e, f]) =>
    printer.canvas.bitmap(bitmap, [a * scaleX, b, c, d * scaleY, e, f]),
  )
}

/** `GS k` in both forms: data that ends with 0, or with a length. */
const barCode: Handler = ({ printer, reader, offset }) => {
  const kind = reader.byte()
  if (kind <= 6) printBarCode(printer, kind, reader.takeUntilZero(), offset)
  else if (kind >= 65 && kind <= 79) printBarCode(printer, kind - 65, reader.take(reader.byte()), offset)
  else printer.warn(offset, `Unknown bar code ${kind} of GS k.`)
}

const raster: Handler = ({ printer, reader, offset }) => {
  const command = reader.byte()
  if (command !== 0x30) {
    printer.warn(offset, `Unknown command GS v 0x${command.toString(16)}.`)
    return
  }
  const mode = reader.byte() & 3
  const [rowBytes, height] = [reader.word(), reader.word()]
  printImage(printer, toRaster(rowBytes, height, reader.take(rowBytes * height)), mode & 1 ? 2 : 1, mode & 2 ? 2 : 1)
}

const cut: Handler = ({ printer, reader }) => {
  const mode = reader.byte()
  // These modes feed the paper first.
  if (mode >= 65) printer.feed(reader.byte())
  printer.addEvent('cut')
}

/** `GS ( k`, `GS ( L` and others, which have their length. */
const block: Handler = (context) => {
  const { printer, reader, offset } = context
  const kind = String.fromCharCode(reader.byte())
  const content = reader.take(reader.word())
  if (kind === 'k') setCode2d(context, new Reader(content), content.length)
  else if (kind === 'L') graphics(context, content)
  else if (kind === 'D' || kind === 'A') printer.printRest()
  else if (!'CEHKMNPQVXYZ'.includes(kind)) printer.warn(offset, `Unknown command GS ( ${toName(kind)}.`)
}

function setCode2d({ printer, offset }: Context, reader: Reader, length: number): void {
  const [kind, purpose] = [reader.byte(), reader.byte()]
  const code = printer.codes.get(kind) ?? newCode2d()
  printer.codes.set(kind, code)
  const first = reader.byte()
  if (purpose === 80) code.data = toText(reader.take(length - 3))
  else if (purpose === 81) printCode2d(printer, kind, code, offset)
  else if (purpose === 67) code.module = Math.min(16, Math.max(1, first))
  else if (kind === 48 && purpose === 65) code.columns = Math.min(30, first)
  else if (kind === 48 && purpose === 66) code.rows = Math.min(90, first)
  else if (kind === 48 && purpose === 68) code.rowHeight = Math.min(8, Math.max(2, first))
  else if (kind === 48 && purpose === 69) code.level = first === 48 ? Math.min(8, Math.max(0, reader.byte() - 48)) : 0
  else if (kind === 48 && purpose === 70) code.compact = first === 1
  else if (kind === 49 && purpose === 65) code.model = first
  else if (kind === 49 && purpose === 69) code.level = Math.min(3, Math.max(0, first - 48))
}

/** `GS ( L` and `GS 8 L`: images in the buffer of the printer. */
function graphics({ printer, offset }: Context, content: Uint8Array): void {
  const reader = new Reader(content)
  reader.byte()
  const purpose = reader.byte()
  if (purpose === 112 || purpose === 113) {
    reader.byte()
    const [scaleX, scaleY] = [reader.byte(), reader.byte()]
    reader.byte()
    const [width, height] = [reader.word(), reader.word()]
    const data = content.subarray(reader.at)
    const bitmap =
      purpose === 112 ? toRaster(Math.ceil(width / 8), height, data) : toColumns(width, Math.ceil(height / 8), data)
    if (bitmap) printer.buffered = { bitmap, scaleX: scaleX === 2 ? 2 : 1, scaleY: scaleY === 2 ? 2 : 1 }
  } else if (purpose === 2 || purpose === 50) {
    const image = printer.buffered
    if (image) printImage(printer, image.bitmap, image.scaleX, image.scaleY)
    printer.buffered = undefined
  } else if (purpose === 69 || purpose === 85)
    printer.warn(offset, 'The picture does not show graphics that are stored in the printer.')
}

export const GS_COMMANDS: Record<string, Handler | undefined> = {
  '!': ({ printer, reader }) => {
    const size = reader.byte()
    printer.style = { ...printer.style, scaleX: ((size >> 4) & 7) + 1, scaleY: (size & 7) + 1 }
  },
  '(': block,
  '8': (context) => {
    const { reader } = context
    const kind = reader.byte()
    const content = reader.take(reader.word() + reader.word() * 0x10000)
    if (kind === 0x4c) graphics(context, content)
    else context.printer.warn(context.offset, `Unknown command GS 8 0x${kind.toString(16)}.`)
  },
  '*': ({ printer, reader }) => {
    const [columns, columnBytes] = [reader.byte() * 8, reader.byte()]
    const bitmap = toColumns(columns, columnBytes, reader.take(columns * columnBytes))
    if (bitmap) printer.downloaded = bitmap
  },
  '/': ({ printer, reader }) => {
    const mode = reader.byte() & 3
    printImage(printer, printer.downloaded, mode & 1 ? 2 : 1, mode & 2 ? 2 : 1)
  },
  B: ({ printer, reader }) => {
    printer.style = { ...printer.style, inverse: (reader.byte() & 1) !== 0 }
  },
  C: ({ reader }) => {
    const kind = reader.byte()
    if (kind === 0x30 || kind === 0x32) reader.take(2)
    else if (kind === 0x31) reader.take(6)
    else if (kind === 0x3b) reader.takeUntilZero()
  },
  D: ({ reader }) => {
    reader.take(2)
  },
  H: ({ printer, reader }) => {
    printer.barCode.captions = reader.byte() & 3
  },
  L: ({ printer, reader }) => {
    printer.marginLeft = Math.min(printer.width - 1, reader.word())
  },
  Q: ({ printer, reader }) => {
    reader.byte()
    const mode = reader.byte() & 3
    const [width, height] = [reader.word(), reader.word()]
    const bytes = Math.ceil(height / 8)
    printImage(printer, toColumns(width, bytes, reader.take(width * bytes)), mode & 1 ? 2 : 1, mode & 2 ? 2 : 1)
  },
  V: cut,
  W: ({ printer, reader }) => {
    printer.areaWidth = reader.word() || undefined
  },
  f: ({ printer, reader }) => {
    printer.barCode.captionFont = (reader.byte() & 1) === 1 ? 'B' : 'A'
  },
  g: ({ reader }) => {
    reader.take(4)
  },
  h: ({ printer, reader }) => {
    printer.barCode.height = Math.max(1, reader.byte())
  },
  k: barCode,
  v: raster,
  w: ({ printer, reader }) => {
    printer.barCode.module = Math.min(6, Math.max(1, reader.byte()))
  },
}
