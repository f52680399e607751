/** Bar codes as modules. `bwip-js` encodes the data; where the modules are drawn is decided by the interpreters. */
import bwipjs from 'bwip-js/browser'

/** Bars of one height: widths of bars and spaces in modules, beginning with a bar. */
export interface Bars {
  kind: 'bars'
  widths: number[]
}

/** Bars of equal width that differ in height, as those of postal codes: height and lower end of each, of 1. */
export interface HeightBars {
  kind: 'heights'
  bars: { height: number; bottom: number }[]
}

export interface Matrix2d {
  kind: 'matrix'
  columns: number
  rows: number
  isSet: (x: number, y: number) => boolean
}

/** Hexagons of MaxiCode, as indexes into 33 rows of 30. */
export interface Hexagons {
  kind: 'hexagons'
  set: number[]
}

export type Symbol2d = Bars | HeightBars | Matrix2d | Hexagons

/** The data cannot be in the bar code. The message is a part of a sentence. */
export class SymbolError extends Error {}

type Options = Record<string, string | number | boolean | undefined>

/** Longer data has no symbol in any code; the encoder would need seconds to find that. */
const DATA_MAX_CHARACTERS = 4_300
/** Bars hold less than the largest two-dimensional code. */
const BARS_DATA_MAX_CHARACTERS = 255

const TWO_DIMENSIONAL = /^(qrcode|datamatrix|pdf417|micropdf417|azteccode|maxicode|codablockf|code49|databar|gs1)/

/**
 * @param code a name of `bwip-js`, for example `code128`.
 * @param text its data.
 * @throws SymbolError if the code cannot contain the data.
 */
export function encodeSymbol(code: string, text: string, options: Options = {}): Symbol2d {
  if (!text) throw new SymbolError('the field has no data')
  const max = TWO_DIMENSIONAL.test(code) ? DATA_MAX_CHARACTERS : BARS_DATA_MAX_CHARACTERS
  if (text.length > max) throw new SymbolError('the data is too long')
  try {
    return toSymbol(code, bwipjs.raw({ bcid: code, text, ...options } as never)[0] ?? {})
  } catch (error) {
    const [, reason] = /bwipp\.\w+#\d+: (.*)/.exec(String(error)) ?? []
    throw new SymbolError(reason ?? 'its data cannot be encoded', { cause: error })
  }
}

interface Raw {
  sbs?: number[]
  bhs?: number[]
  bbs?: number[]
  pixs?: number[]
  pixx?: number
  pixy?: number
}

function toSymbol(code: string, raw: Raw): Symbol2d {
  if (code === 'maxicode') return { kind: 'hexagons', set: raw.pixs ?? [] }
  if (raw.pixs) {
    const [pixels, columns, rows] = [raw.pixs, raw.pixx ?? 0, raw.pixy ?? 0]
    return { kind: 'matrix', columns, rows, isSet: (x, y) => pixels[y * columns + x] === 1 }
  }
  const heights = raw.bhs ?? []
  const bottoms = raw.bbs ?? []
  if (code === 'postnet' || code === 'planet') {
    const highest = Math.max(...heights)
    return {
      kind: 'heights',
      bars: heights.map((height, index) => ({ height: height / highest, bottom: (bottoms[index] ?? 0) / highest })),
    }
  }
  return { kind: 'bars', widths: raw.sbs ?? [] }
}
