/** What the bar codes of `^B…` have in common: symbols as paths, with their interpretation line. */
import { rectangle, toRuns } from '../canvas.ts'
import { type Symbol2d, SymbolError } from '../symbols.ts'
import type { Parameters } from './parameters.ts'

/** `^BY`: module width in dots, ratio of wide to narrow bars, height in dots. */
export interface BarDefaults {
  module: number
  ratio: number
  height: number
}

/**
 * Text of an interpretation line: its middle, its baseline and its advance per character, from the upper left corner of
 * the bars.
 */
export interface Caption {
  text: string
  x: number
  y: number
  advance: number
  /** The width of a character with its bearings. */
  width: number
  capital: number
}

export interface DrawnSymbol {
  path: string
  width: number
  /** The height of the bars, without text. */
  height: number
  captions: Caption[]
  /** White that scanners need beside the bars, in dots: at both ends, and above and below. */
  quiet?: { along: number; across?: number }
  /** What is printed instead of data that the code cannot hold. */
  changed?: string
  /** How much lower than its position printers print it: for QR codes. */
  dropFO?: number
  dropFT?: number
}

export type Draw = (data: string, parameters: Parameters, by: BarDefaults, dotsPerMm: number) => DrawnSymbol

/** At both ends of bars (ISO/IEC 15417, 16388). */
const QUIET_MODULES = 10
/** Around a matrix: 1 for Data Matrix, 4 for QR codes, which many scanners read with less. */
const QUIET_CELLS = 1

/** Draws bars of the height of the command, with a line of text below or above. */
export function bars(
  symbol: Symbol2d,
  height: number,
  by: BarDefaults,
  text: string,
  line: boolean,
  above: boolean,
  wide?: number,
): DrawnSymbol {
  if (symbol.kind !== 'bars') throw new SymbolError('its data cannot be encoded')
  let x = 0
  let path = ''
  symbol.widths.forEach((modules, index) => {
    const width = wide && modules > 1 ? wide : modules * by.module
    if (index % 2 === 0 && width > 0) path += rectangle(x, 0, width, height)
    x += width
  })
  const captions = line ? [caption(text, x / 2, height, by.module, above)] : []
  return { path, width: x, height, captions, quiet: { along: QUIET_MODULES * by.module } }
}

/** The line is in font A, as large as the modules. */
export const caption = (text: string, x: number, height: number, module: number, above: boolean): Caption => ({
  text,
  x,
  y: above ? -5 * module : height + 10 * module,
  advance: 6 * module,
  width: 6 * module,
  capital: 7 * module,
})

/** The modulo 10 digit of GS1, weighted 3 and 1 from the right. */
export function toCheckDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index++) sum += Number(digits.at(-1 - index)) * (index % 2 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}

export const toDigits = (data: string, length: number): string =>
  data.replace(/\D/g, '').padStart(length, '0').slice(0, length)

export function grid(symbol: Symbol2d, width: number, height: number): DrawnSymbol {
  if (symbol.kind !== 'matrix') throw new SymbolError('its data cannot be encoded')
  const rows = { width: symbol.columns, height: symbol.rows, isSet: symbol.isSet }
  return {
    path: toRuns(rows, width, height),
    width: symbol.columns * width,
    height: symbol.rows * height,
    captions: [],
    quiet: { along: QUIET_CELLS * width, across: QUIET_CELLS * height },
  }
}

/** UTF-8 as one character per byte. */
export const toBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))
