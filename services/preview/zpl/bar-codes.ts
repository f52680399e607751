/** The bar codes of `^B…`: which symbol a field encodes, how large its modules are, and where its text is. */
import { rectangle } from '../canvas.ts'
import { encodeAutomatically, encodeInvocations, FNC1_CHARACTER, toRawText } from '../code-128.ts'
import { encodeSymbol, SymbolError } from '../symbols.ts'
import { bars, caption, type Draw, grid, toCheckDigit, toDigits } from './draw-symbol.ts'
import { drawAztec, drawDataMatrix, drawMaxiCode, drawPdf417, drawQr } from './matrix-codes.ts'
import type { Parameters } from './parameters.ts'
import { EAN8, EAN13, extension, retail, toUpcE, UPCA, UPCE } from './retail-codes.ts'

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

const interleaved: Draw = (data, parameters, by) => {
  let digits = data.replace(/\D/g, '')
  if (parameters.flag(4, false)) digits += toCheckDigit(digits.length % 2 ? digits : `0${digits}`)
  if (digits.length % 2) digits = `0${digits}`
  const drawn = bars(
    encodeSymbol('interleaved2of5', digits),
    parameters.dots(1, by.height),
    by,
    digits,
    parameters.flag(2, true),
    parameters.flag(3, false),
    Math.floor(by.module * by.ratio + 0.0001),
  )
  return { ...drawn, ...(/\D/.test(data.trim()) && { changed: digits }) }
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

/** Bar codes by the letter after `^B`. */
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
