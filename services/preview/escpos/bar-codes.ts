/** The bar codes of `GS k` and the two-dimensional codes of `GS ( k`. */
import { rectangle, toRuns } from '../canvas.ts'
import { type Code128, toRawText } from '../code-128.ts'
import { encodeSymbol, type Symbol2d, SymbolError } from '../symbols.ts'
import type { ReceiptPrinter } from './printer.ts'
import { toText } from './reader.ts'

/** Names of `bwip-js` in the order of both numberings of `GS k`. */
const CODES = ['upca', 'upce', 'ean13', 'ean8', 'code39', 'interleaved2of5', 'rationalizedCodabar', 'code93', 'code128', 'gs1-128', 'databaromni', 'databartruncated', 'databarlimited', 'databarexpanded', 'code128'] // biome-ignore format: a table

const NAMES = ['UPC-A', 'UPC-E', 'EAN-13', 'EAN-8', 'Code 39', 'ITF', 'Codabar', 'Code 93', 'Code 128', 'GS1-128', 'DataBar', 'DataBar', 'DataBar', 'DataBar', 'Code 128'] // biome-ignore format: a table

/** Wide bars of codes with two widths are 2.5 narrow ones. */
const TWO_WIDTHS = new Set(['code39', 'interleaved2of5', 'rationalizedCodabar'])
const WIDE_RATIO = 2.5

/** @param kind 0 to 14, the order of `GS k`. */
export function printBarCode(printer: ReceiptPrinter, kind: number, data: Uint8Array, offset: number): void {
  const { module, height, captions, captionFont } = printer.barCode
  const code = CODES[kind] ?? ''
  printer.budget.spendSymbol(data.length)
  try {
    const { symbol, text } = encode(code, toText(data))
    if (symbol.kind !== 'bars') throw new SymbolError('its data cannot be encoded')
    const wide = TWO_WIDTHS.has(code) ? Math.round(module * WIDE_RATIO) : 0
    let path = ''
    let width = 0
    symbol.widths.forEach((modules, index) => {
      const bar = wide && modules > 1 ? wide : modules * module
      if (index % 2 === 0 && bar) path += rectangle(width, 0, bar, height)
      width += bar
    })
    printCaption(printer, text, width, captions & 1, captionFont)
    printer.printBlock(width, height, (matrix) => printer.canvas.path(path, matrix))
    printCaption(printer, text, width, captions & 2, captionFont)
  } catch (error) {
    if (!(error instanceof SymbolError)) throw error
    printer.warn(offset, `The ${NAMES[kind] ?? ''} bar code cannot be printed: ${error.message}.`)
  }
}

function encode(code: string, data: string): { symbol: Symbol2d; text: string } {
  if (code === 'code128') {
    const words = toCode128(data)
    return { symbol: encodeSymbol('code128', toRawText(words), { raw: true }), text: words.text }
  }
  if (code === 'gs1-128') return { symbol: encodeSymbol('gs1-128', data), text: data }
  if (code.startsWith('databar')) {
    const text = code === 'databarexpanded' ? data : `(01)${data.replace(/\D/g, '')}`
    return { symbol: encodeSymbol(code, text), text }
  }
  if (code === 'code39') return { symbol: encodeSymbol('code39', data.replace(/^\*|\*$/g, '')), text: data }
  if (code === 'rationalizedCodabar') return { symbol: encodeSymbol(code, data.toUpperCase()), text: data }
  if (code === 'upce' && data.length === 6) return { symbol: encodeSymbol(code, `0${data}`), text: `0${data}` }
  if (code === 'code93') return { symbol: encodeSymbol('code93ext', data, { includecheck: true }), text: data }
  return { symbol: encodeSymbol(code, data), text: data }
}

const SUBSETS: Record<string, { start: number; change: number } | undefined> = {
  A: { start: 103, change: 101 },
  B: { start: 104, change: 100 },
  C: { start: 105, change: 99 },
}

/** `{A`, `{B` and `{C` select the subset; a byte of subset C is a pair of digits. */
function toCode128(data: string): Code128 {
  const words: number[] = []
  let text = ''
  let subset = ''
  for (let at = 0; at < data.length; at++) {
    const char = data.charAt(at)
    const next = data.charAt(at + 1)
    const selected = char === '{' ? SUBSETS[next] : undefined
    if (selected) {
      words.push(words.length ? selected.change : selected.start)
      subset = next
      at++
      continue
    }
    // Without a subset printers print nothing; some choose B.
    if (!subset) {
      words.push(104)
      subset = 'B'
    }
    if (char === '{' && next === '1') {
      words.push(102)
      at++
    } else if (char === '{' && next === 'S') {
      words.push(98)
      at++
    } else if (subset === 'C') {
      const pair = data.charCodeAt(at)
      if (pair > 99) throw new SymbolError('subset C has values up to 99')
      words.push(pair)
      text += String(pair).padStart(2, '0')
    } else {
      if (char === '{' && next === '{') at++
      const value = char.charCodeAt(0)
      const word = value >= 32 ? value - 32 : value + 64
      if (value > 127 || (subset === 'A' && word > 95)) throw new SymbolError('a character is not in its subset')
      words.push(word)
      text += char
    }
  }
  return { words, text }
}

/** The text above or below the bars, in the middle of them. */
function printCaption(printer: ReceiptPrinter, text: string, width: number, shown: number, font: 'A' | 'B'): void {
  if (!shown) return
  const size =
    font === 'A'
      ? { advance: 12, height: 24, baseline: 19, capital: 16 }
      : { advance: 9, height: 17, baseline: 14, capital: 12 }
  const textWidth = text.length * size.advance
  printer.printBlock(Math.max(width, textWidth), size.height, (matrix) => {
    const left = (Math.max(width, textWidth) - textWidth) / 2
    const [a, b, c, d, e, f] = matrix
    printer.canvas.cells(text, { ...size, width: size.advance }, [a, b, c, d, e + left, f + size.baseline], 'black')
  })
}

/** What `GS ( k` has set for one kind of code. */
export interface Code2d {
  data: string
  module: number
  rowHeight: number
  columns: number
  rows: number
  level: number
  compact: boolean
  model: number
}

export const newCode2d = (): Code2d => ({
  data: '',
  module: 3,
  rowHeight: 3,
  columns: 0,
  rows: 0,
  level: 0,
  compact: false,
  model: 0,
})

/** The numbers of `cn`. */
const KINDS: Record<number, string | undefined> = {
  48: 'PDF417',
  49: 'QR',
  50: 'MaxiCode',
  51: 'DataBar',
  53: 'Aztec',
  54: 'DataMatrix',
}

/** Prints the data that was stored by `GS ( k`. */
export function printCode2d(printer: ReceiptPrinter, kind: number, code: Code2d, offset: number): void {
  const name = KINDS[kind] ?? `number ${kind}`
  printer.budget.spendSymbol(code.data.length)
  try {
    const symbol = encode2d(kind, code)
    if (symbol.kind !== 'matrix') throw new SymbolError('the picture does not show it')
    const [width, height] = [code.module, kind === 48 ? code.module * code.rowHeight : code.module]
    const rows = { width: symbol.columns, height: symbol.rows, isSet: symbol.isSet }
    const path = toRuns(rows, width, height)
    printer.printBlock(symbol.columns * width, symbol.rows * height, (matrix) => printer.canvas.path(path, matrix))
  } catch (error) {
    if (!(error instanceof SymbolError)) throw error
    printer.warn(offset, `The ${name} code cannot be printed: ${error.message}.`)
  }
}

function encode2d(kind: number, code: Code2d): Symbol2d {
  const options = { binarytext: true }
  if (kind === 49)
    return encodeSymbol(code.model === 51 ? 'microqrcode' : 'qrcode', code.data, {
      ...options,
      eclevel: 'LMQH'[code.level] ?? 'L',
    })
  if (kind === 48) {
    const size = { ...(code.columns ? { columns: code.columns } : {}), ...(code.rows >= 3 ? { rows: code.rows } : {}) }
    return encodeSymbol(code.compact ? 'pdf417compact' : 'pdf417', code.data, {
      ...options,
      ...size,
      eclevel: code.level,
    })
  }
  if (kind === 53) return encodeSymbol('azteccode', code.data, options)
  if (kind === 54) return encodeSymbol('datamatrix', code.data, options)
  throw new SymbolError('the picture does not show this code')
}
