/** The bar codes of `^B…`: which symbol a field encodes, how large its modules are, and where its text is. */
import { ellipse, rectangle, toRuns } from '../canvas.ts'
import { encodeAutomatically, encodeInvocations, FNC1_CHARACTER, toRawText } from '../code-128.ts'
import { encodeSymbol, type Hexagons, type Symbol2d, SymbolError } from '../symbols.ts'
import type { Parameters } from './parameters.ts'

/** `^BY`: module width in dots, ratio of wide to narrow bars, height in dots. */
export interface BarDefaults {
  module: number
  ratio: number
  height: number
}

/** Text of an interpretation line: its middle, its baseline and its advance per character, from the upper left corner of the bars. */
export interface Caption {
  text: string
  x: number
  y: number
  advance: number
  /** Of a character with its bearings. */
  width: number
  capital: number
}

export interface Symbol {
  path: string
  width: number
  /** Of the bars, without text. */
  height: number
  captions: Caption[]
  /** How much lower than its position printers print it: for QR codes. */
  dropFO?: number
  dropFT?: number
}

type Draw = (data: string, parameters: Parameters, by: BarDefaults, dotsPerMm: number) => Symbol

/** Draws bars of the height of the command, with a line of text below or above. */
function bars(
  symbol: Symbol2d,
  height: number,
  by: BarDefaults,
  text: string,
  line: boolean,
  above: boolean,
  wide?: number,
): Symbol {
  if (symbol.kind !== 'bars') throw new SymbolError('its data cannot be encoded')
  let x = 0
  let path = ''
  symbol.widths.forEach((modules, index) => {
    const width = wide && modules > 1 ? wide : modules * by.module
    if (index % 2 === 0 && width > 0) path += rectangle(x, 0, width, height)
    x += width
  })
  const captions = line ? [caption(text, x / 2, height, by.module, above)] : []
  return { path, width: x, height, captions }
}

/** The line is in font A, as large as the modules. */
const caption = (text: string, x: number, height: number, module: number, above: boolean): Caption => ({
  text,
  x,
  y: above ? -5 * module : height + 10 * module,
  advance: 6 * module,
  width: 6 * module,
  capital: 7 * module,
})

/** Codes of narrow and wide bars, whose ratio `^BY` sets. */
const twoWidths =
  (
    code: string,
    toText: (data: string) => string,
    options: (parameters: Parameters) => { includecheck?: boolean },
    at: { height: number; line: number; above: number },
  ): Draw =>
  (data, parameters, by) =>
    bars(
      encodeSymbol(code, data, options(parameters)),
      parameters.dots(at.height, by.height),
      by,
      toText(data),
      parameters.flag(at.line, true),
      parameters.flag(at.above, false),
      Math.floor(by.module * by.ratio + 0.0001),
    )

const drawCode128: Draw = (data, parameters, by) => {
  const mode = parameters.text(5, 'N').toUpperCase()
  let code = encodeInvocations(data)
  let text: string | undefined
  if (mode === 'A') code = encodeAutomatically(data)
  if (mode === 'D') {
    const content = data.replace(/[() ]/g, '').replaceAll('>8', FNC1_CHARACTER)
    code = encodeAutomatically(FNC1_CHARACTER + (content.startsWith(FNC1_CHARACTER) ? content.slice(1) : content))
    text = data.replaceAll('>8', '')
  }
  if (mode === 'U') {
    const digits = data.replace(/\D/g, '').padStart(19, '0').slice(0, 19)
    code = encodeAutomatically(FNC1_CHARACTER + digits + toCheckDigit(digits))
  }
  const symbol = encodeSymbol('code128', toRawText(code), { raw: true })
  return bars(
    symbol,
    parameters.dots(1, by.height),
    by,
    text ?? code.text,
    parameters.flag(2, true),
    parameters.flag(3, false),
  )
}

/** The modulo 10 digit of GS1, weighted 3 and 1 from the right. */
function toCheckDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index++) sum += Number(digits.at(-1 - index)) * (index % 2 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}

const toDigits = (data: string, length: number): string =>
  data.replace(/\D/g, '').padStart(length, '0').slice(0, length)

const interleaved: Draw = (data, parameters, by) => {
  let digits = data.replace(/\D/g, '')
  if (parameters.flag(4, false)) digits += toCheckDigit(digits.length % 2 ? digits : `0${digits}`)
  if (digits.length % 2) digits = `0${digits}`
  return bars(
    encodeSymbol('interleaved2of5', digits),
    parameters.dots(1, by.height),
    by,
    digits,
    parameters.flag(2, true),
    parameters.flag(3, false),
    Math.floor(by.module * by.ratio + 0.0001),
  )
}

/** Lengths of the groups of digits, and the modules of long bars, of EAN and UPC. */
interface Retail {
  code: string
  digits: number
  guards: [first: number, last: number][]
  /** First module of each group of digits, and how many digits are outside on the left and right. */
  groups: { at: number; digits: number }[]
  outside: [left: number, right: number]
}

const EAN13: Retail = { code: 'ean13', digits: 12, guards: [[0, 2], [45, 49], [92, 94]], groups: [{ at: 3, digits: 6 }, { at: 50, digits: 6 }], outside: [1, 0] } // biome-ignore format: a table
const EAN8: Retail = { code: 'ean8', digits: 7, guards: [[0, 2], [31, 35], [64, 66]], groups: [{ at: 3, digits: 4 }, { at: 36, digits: 4 }], outside: [0, 0] } // biome-ignore format: a table
const UPCA: Retail = { code: 'upca', digits: 11, guards: [[0, 9], [45, 49], [85, 94]], groups: [{ at: 10, digits: 5 }, { at: 50, digits: 5 }], outside: [1, 1] } // biome-ignore format: a table
const UPCE: Retail = { code: 'upce', digits: 7, guards: [[0, 2], [45, 50]], groups: [{ at: 3, digits: 6 }], outside: [1, 1] } // biome-ignore format: a table

/** Modules that guard bars are longer than the others. */
const GUARD_MODULES = 5

function drawRetail(
  retail: Retail,
  data: string,
  height: number,
  module: number,
  line: boolean,
  above: boolean,
): Symbol {
  const symbol = encodeSymbol(retail.code, data)
  if (symbol.kind !== 'bars') throw new SymbolError('its data cannot be encoded')
  const long = height + GUARD_MODULES * module
  let at = 0
  let path = ''
  symbol.widths.forEach((modules, index) => {
    const isGuard = retail.guards.some(([first, last]) => at >= first && at <= last)
    if (index % 2 === 0) path += rectangle(at * module, 0, modules * module, isGuard ? long : height)
    at += modules
  })
  const digits = data + (data.length === retail.digits ? toRetailCheckDigit(retail, data) : '')
  return {
    path,
    width: at * module,
    height: long,
    captions: line ? retailCaptions(retail, digits, at, module, height, above) : [],
  }
}

function retailCaptions(
  retail: Retail,
  digits: string,
  modules: number,
  module: number,
  height: number,
  above: boolean,
): Caption[] {
  const size = { advance: 7 * module, width: 5.5 * module, capital: 5.5 * module }
  if (above) return [{ text: digits, x: (modules / 2) * module, y: -2.5 * module, ...size }]
  const y = height + 7.3 * module
  const captions: Caption[] = []
  const [left, right] = retail.outside
  if (left) captions.push({ text: digits.slice(0, 1), x: -7 * module, y, ...size })
  let used = left
  for (const group of retail.groups) {
    captions.push({
      text: digits.slice(used, used + group.digits),
      x: (group.at + group.digits * 3.5) * module,
      y,
      ...size,
    })
    used += group.digits
  }
  if (right) captions.push({ text: digits.slice(used, used + 1), x: (modules + 7) * module, y, ...size })
  return captions
}

const toRetailCheckDigit = (retail: Retail, digits: string): string =>
  toCheckDigit(retail === UPCE ? expandUpcE(digits) : digits)

/** @returns the UPC-A digits of the 7 digits of UPC-E. */
function expandUpcE(digits: string): string {
  const [system = '0', a = '0', b = '0', c = '0', d = '0', e = '0', last = '0'] = digits
  if (last <= '2') return `${system}${a}${b}${last}0000${c}${d}${e}`
  if (last === '3') return `${system}${a}${b}${c}00000${d}${e}`
  if (last === '4') return `${system}${a}${b}${c}${d}00000${e}`
  return `${system}${a}${b}${c}${d}${e}0000${last}`
}

/** `^B9` takes the 10 digits of manufacturer and product after the number system. */
function toUpcE(data: string): string {
  const digits = data.replace(/\D/g, '')
  if (digits.length <= 8) return toDigits(digits, 7)
  const [maker, product] = [digits.slice(-10, -5), digits.slice(-5)]
  if (/[012]00$/.test(maker)) return `0${maker.slice(0, 2)}${product.slice(2)}${maker[2]}`
  if (maker.endsWith('00')) return `0${maker.slice(0, 3)}${product.slice(3)}3`
  if (maker.endsWith('0')) return `0${maker.slice(0, 4)}${product.slice(4)}4`
  return `0${maker}${product.slice(4)}`
}

const retail =
  (kind: Retail, read = (data: string) => toDigits(data, kind.digits)): Draw =>
  (data, parameters, by) =>
    drawRetail(
      kind,
      read(data),
      parameters.dots(1, by.height),
      by.module,
      parameters.flag(2, true),
      parameters.flag(3, false),
    )

const extension: Draw = (data, parameters, by) => {
  const digits = data.replace(/\D/g, '')
  const symbol = encodeSymbol(digits.length > 2 ? 'ean5' : 'ean2', toDigits(digits, digits.length > 2 ? 5 : 2))
  return bars(symbol, parameters.dots(1, by.height), by, digits, parameters.flag(2, true), parameters.flag(3, true))
}

function grid(symbol: Symbol2d, width: number, height: number): Symbol {
  if (symbol.kind !== 'matrix') throw new SymbolError('its data cannot be encoded')
  const rows = { width: symbol.columns, height: symbol.rows, isSet: symbol.isSet }
  return {
    path: toRuns(rows, width, height),
    width: symbol.columns * width,
    height: symbol.rows * height,
    captions: [],
  }
}

const drawQr: Draw = (data, parameters, by, dotsPerMm) => {
  const magnification = parameters.number(2, dotsPerMm <= 8 ? 2 : 3, 1, 100)
  // Printers skip three characters where error correction and input mode are missing.
  const [, level, manual, content = ''] = /^([HQML]?)([AM]),(.*)$/s.exec(data) ?? ['', '', '', data.slice(3)]
  const isBinary = manual === 'M' && content.startsWith('B')
  const text =
    manual !== 'M' ? content : isBinary ? content.slice(5, 5 + Number(content.slice(1, 5))) : content.slice(1)
  const symbol = encodeSymbol('qrcode', toBytes(text), { eclevel: level || 'M', binarytext: true })
  const drawn = grid(symbol, magnification, magnification)
  // Printers add the height of ^BY to ^FO, and a margin to ^FT.
  return { ...drawn, dropFO: by.height, dropFT: -7 * magnification }
}

/** UTF-8 as one character per byte. */
const toBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

const drawDataMatrix: Draw = (data, parameters, by) => {
  const [columns, rows] = [parameters.number(3, 0, 0, 144), parameters.number(4, 0, 0, 144)]
  const escapeChar = parameters.text(6, '~')
  const rectangular = parameters.number(7, 1, 1, 2) === 2
  const text = readDataMatrixEscapes(toBytes(data), escapeChar)
  const fixed = columns && rows ? { columns, rows } : {}
  const options = { parse: true, parsefnc: true, binarytext: true, ...(rectangular ? { format: 'rectangle' } : {}) }
  const encode = (size: object) => encodeSymbol('datamatrix', text, { ...options, ...size })
  const symbol = (() => {
    try {
      return encode(fixed)
    } catch (error) {
      // Printers enlarge a symbol that is too small for its data.
      if (!columns) throw error
      return encode({})
    }
  })()
  if (symbol.kind !== 'matrix') throw new SymbolError('its data cannot be encoded')
  const module = parameters.number(1, 0, 0, 9_999) || Math.max(1, Math.round(by.height / symbol.rows))
  return grid(symbol, module, module)
}

/** @returns data with the escapes of `bwip-js`: `^FNC1` and `^065`. */
function readDataMatrixEscapes(data: string, escapeChar: string): string {
  let text = ''
  for (let at = 0; at < data.length; at++) {
    const char = data.charAt(at)
    const next = data.charAt(at + 1)
    if (char === '^') text += '^094'
    else if (char === escapeChar && next === '1') {
      text += at === 0 ? '^FNC1' : '^029'
      at++
    } else if (char === escapeChar && /^d\d{3}/.test(data.slice(at + 1))) {
      text += `^${data.slice(at + 2, at + 5)}`
      at += 4
    } else if (char === escapeChar && next === escapeChar) {
      text += char
      at++
    } else text += char
  }
  return text
}

const drawPdf417: Draw = (data, parameters, by) => {
  const columns = parameters.number(3, 0, 0, 30)
  const rows = parameters.number(4, 0, 0, 90)
  const code = parameters.flag(5, false) ? 'pdf417compact' : 'pdf417'
  const options = { binarytext: true, eclevel: parameters.number(2, 0, 0, 8) }
  const text = toBytes(data.replaceAll('\\&', '\r\n'))
  const symbol = (() => {
    try {
      return encodeSymbol(code, text, { ...options, ...(columns ? { columns } : {}), ...(rows >= 3 ? { rows } : {}) })
    } catch (error) {
      if (!columns && !rows) throw error
      return encodeSymbol(code, text, options)
    }
  })()
  if (symbol.kind !== 'matrix') throw new SymbolError('its data cannot be encoded')
  const rowHeight = parameters.dots(1, 0) || Math.max(1, Math.round(by.height / symbol.rows))
  return grid(symbol, by.module, rowHeight)
}

const drawAztec: Draw = (data, parameters) => {
  const size = parameters.number(3, 0, 0, 300)
  const options =
    size >= 1 && size <= 99
      ? { eclevel: size }
      : size >= 101 && size <= 104
        ? { format: 'compact', layers: size - 100 }
        : size >= 201 && size <= 232
          ? { format: 'full', layers: size - 200 }
          : size === 300
            ? { format: 'rune' }
            : {}
  const magnification = parameters.number(1, 3, 1, 100)
  return grid(encodeSymbol('azteccode', toBytes(data), { binarytext: true, ...options }), magnification, magnification)
}

/** Service, country and postal code, then the header of the secondary message. */
const MAXICODE_PRIMARY = /^(\d{3})(\d{3})([^[]*)(\[\)>\p{Cc}01\p{Cc}\d\d)?(.*)$/su

/** MaxiCode has one size: 30 by 33 hexagons of 0.88 mm. */
const drawMaxiCode: Draw = (data, parameters, _, dotsPerMm) => {
  const mode = parameters.number(0, 2, 2, 6)
  let text = data
  const [, service = '', country = '', post = '', header = '', rest = ''] = MAXICODE_PRIMARY.exec(data) ?? []
  if (mode <= 3 && service) text = `${header}${post}\x1d${country}\x1d${service}\x1d${rest}`
  const symbol = encodeSymbol('maxicode', text, { mode })
  if (symbol.kind !== 'hexagons') throw new SymbolError('its data cannot be encoded')
  return hexagons(symbol, dotsPerMm)
}

function hexagons({ set }: Hexagons, dotsPerMm: number): Symbol {
  const [w, h] = [0.88 * dotsPerMm, 1.02 * dotsPerMm * 0.75]
  const n = (value: number) => Math.round(value * 100) / 100
  let path = ''
  for (const index of set) {
    const row = Math.floor(index / 30)
    const [x, y] = [((index % 30) + (row % 2) / 2) * w, row * h]
    const [gx, gy] = [w * 0.92, (h / 0.75) * 0.92]
    path += `M${n(x + gx / 2)} ${n(y)}l${n(gx / 2)} ${n(gy / 4)}v${n(gy / 2)}l${n(-gx / 2)} ${n(gy / 4)}l${n(-gx / 2)} ${n(-gy / 4)}v${n(-gy / 2)}z`
  }
  const [cx, cy] = [14.5 * w, 16 * h + h / 0.75 / 2]
  // Three rings around a white centre. Holes have the other direction.
  for (const [outer, inner] of [
    [3.87, 3.25],
    [2.45, 1.85],
    [1.18, 0.55],
  ] as const) {
    const [r1, r2] = [outer * dotsPerMm, inner * dotsPerMm]
    path += ellipse(n(cx), n(cy), n(r1), n(r1))
    path += `M${n(cx - r2)} ${n(cy)}a${n(r2)} ${n(r2)} 0 1 1 ${n(2 * r2)} 0a${n(r2)} ${n(r2)} 0 1 1 ${n(-2 * r2)} 0z`
  }
  return { path, width: 30 * w, height: 33 * h, captions: [] }
}

const drawPostal =
  (code: string): Draw =>
  (data, parameters, by) => {
    const symbol = encodeSymbol(code, data.replace(/\D/g, ''))
    if (symbol.kind !== 'heights') throw new SymbolError('its data cannot be encoded')
    const height = parameters.dots(1, by.height)
    const pitch = by.module * 2
    const path = symbol.bars.map((bar, index) => rectangle(index * pitch, Math.round(height * (1 - bar.height)), by.module, Math.round(height * bar.height))).join('') // biome-ignore format: one line
    const width = symbol.bars.length * pitch - by.module
    const captions = parameters.flag(2, false)
      ? [caption(data, width / 2, height, by.module, parameters.flag(3, false))]
      : []
    return { path, width, height, captions }
  }

const DATABAR = ['', 'databaromni', 'databartruncated', 'databarstacked', 'databarstackedomni', 'databarlimited', 'databarexpanded', 'upca', 'upce', 'ean13', 'ean8', 'gs1_128', 'gs1_128'] // biome-ignore format: a table

const drawDataBar: Draw = (data, parameters) => {
  const code = DATABAR[parameters.number(1, 1, 1, 12)] ?? 'databaromni'
  const module = parameters.number(2, 2, 1, 10)
  const height = parameters.dots(4, 25)
  const [linear = ''] = data.split('|')
  const text =
    code === 'databarexpanded'
      ? linear
      : code.startsWith('databar')
        ? `(01)${toDigits(linear, 13)}${toCheckDigit(toDigits(linear, 13))}`
        : linear
  const symbol = encodeSymbol(code, text)
  if (symbol.kind === 'matrix') return grid(symbol, module, module)
  return bars(symbol, Math.max(height, 33 * module), { module, ratio: 3, height }, '', false, false)
}

const stacked =
  (code: string): Draw =>
  (data, _, by) =>
    grid(encodeSymbol(code, data), by.module, by.module)

const AT_2 = { height: 2, line: 3, above: 4 }
const AT_1 = { height: 1, line: 2, above: 3 }

/** By the letter after `^B`. */
export const BAR_CODES: Record<string, Draw | undefined> = {
  '0': drawAztec,
  O: drawAztec,
  '1': (data, parameters, by) =>
    bars(
      encodeSymbol('code11', data, { includecheck: true }),
      parameters.dots(2, by.height),
      by,
      data,
      parameters.flag(3, true),
      parameters.flag(4, false),
      Math.floor(by.module * by.ratio),
    ),
  '2': interleaved,
  '3': (data, parameters, by) => {
    const text = data.replace(/^\*|\*$/g, '')
    const code = /[^0-9A-Z\-. $/+%]/.test(text) ? 'code39ext' : 'code39'
    return twoWidths(
      code,
      (content) => `*${content}*`,
      () => (parameters.flag(1, false) ? { includecheck: true } : {}),
      AT_2,
    )(text, parameters, by, 0)
  },
  '4': stacked('code49'),
  '5': drawPostal('planet'),
  '7': drawPdf417,
  '8': retail(EAN8),
  '9': retail(UPCE, toUpcE),
  A: (data, parameters, by) =>
    bars(
      encodeSymbol('code93', data, { includecheck: true }),
      parameters.dots(1, by.height),
      by,
      data,
      parameters.flag(2, true),
      parameters.flag(3, false),
    ),
  B: stacked('codablockf'),
  C: drawCode128,
  D: drawMaxiCode,
  E: retail(EAN13),
  F: stacked('micropdf417'),
  I: twoWidths(
    'industrial2of5',
    (data) => data,
    () => ({}),
    AT_1,
  ),
  J: twoWidths(
    'iata2of5',
    (data) => data,
    () => ({}),
    AT_1,
  ),
  K: (data, parameters, by) => {
    const text = /^[A-D].*[A-D]$/i.test(data)
      ? data.toUpperCase()
      : `${parameters.text(5, 'A')}${data}${parameters.text(6, 'A')}`
    return twoWidths(
      'rationalizedCodabar',
      (content) => content,
      () => ({}),
      AT_2,
    )(text, parameters, by, 0)
  },
  L: (data, parameters, by) =>
    bars(
      encodeSymbol('code39', data, { includecheck: true }),
      parameters.dots(1, by.height),
      by,
      data,
      true,
      parameters.flag(2, false),
      Math.floor(by.module * by.ratio),
    ),
  M: twoWidths(
    'msi',
    (data) => data,
    () => ({ includecheck: true }),
    AT_2,
  ),
  P: twoWidths(
    'plessey',
    (data) => data,
    () => ({}),
    AT_2,
  ),
  Q: drawQr,
  R: drawDataBar,
  S: extension,
  U: retail(UPCA),
  X: drawDataMatrix,
  Z: drawPostal('postnet'),
}
