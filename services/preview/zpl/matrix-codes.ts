/** Two-dimensional codes: QR, DataMatrix, PDF417, Aztec and MaxiCode. */
import { ellipse } from '../canvas.ts'
import { encodeSymbol, type Hexagons, SymbolError } from '../symbols.ts'
import { type Draw, type DrawnSymbol, grid, toBytes } from './draw-symbol.ts'

export const drawQr: Draw = (data, parameters, by, dotsPerMm) => {
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

export const drawDataMatrix: Draw = (data, parameters, by) => {
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

export const drawPdf417: Draw = (data, parameters, by) => {
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

export const drawAztec: Draw = (data, parameters) => {
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
export const drawMaxiCode: Draw = (data, parameters, _, dotsPerMm) => {
  const mode = parameters.number(0, 2, 2, 6)
  let text = data
  const [, service = '', country = '', post = '', header = '', rest = ''] = MAXICODE_PRIMARY.exec(data) ?? []
  if (mode <= 3 && service) text = `${header}${post}\x1d${country}\x1d${service}\x1d${rest}`
  const symbol = encodeSymbol('maxicode', text, { mode })
  if (symbol.kind !== 'hexagons') throw new SymbolError('its data cannot be encoded')
  return hexagons(symbol, dotsPerMm)
}

function hexagons({ set }: Hexagons, dotsPerMm: number): DrawnSymbol {
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
