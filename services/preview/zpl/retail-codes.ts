/** EAN and UPC, whose guard bars are longer and whose digits stand between them. */
import { rectangle } from '../canvas.ts'
import { encodeSymbol, SymbolError } from '../symbols.ts'
import { bars, type Caption, type Draw, type DrawnSymbol, toCheckDigit, toDigits } from './draw-symbol.ts'

/** Lengths of the groups of digits, and the modules of long bars, of EAN and UPC. */
interface Retail {
  code: string
  digits: number
  guards: [first: number, last: number][]
  /** First module of each group of digits, and how many digits are outside on the left and right. */
  groups: { at: number; digits: number }[]
  outside: [left: number, right: number]
}

export const EAN13: Retail = { code: 'ean13', digits: 12, guards: [[0, 2], [45, 49], [92, 94]], groups: [{ at: 3, digits: 6 }, { at: 50, digits: 6 }], outside: [1, 0] } // biome-ignore format: a table
export const EAN8: Retail = { code: 'ean8', digits: 7, guards: [[0, 2], [31, 35], [64, 66]], groups: [{ at: 3, digits: 4 }, { at: 36, digits: 4 }], outside: [0, 0] } // biome-ignore format: a table
export const UPCA: Retail = { code: 'upca', digits: 11, guards: [[0, 9], [45, 49], [85, 94]], groups: [{ at: 10, digits: 5 }, { at: 50, digits: 5 }], outside: [1, 1] } // biome-ignore format: a table
export const UPCE: Retail = { code: 'upce', digits: 7, guards: [[0, 2], [45, 50]], groups: [{ at: 3, digits: 6 }], outside: [1, 1] } // biome-ignore format: a table

/** The quiet zone of the left side, which is the larger one. */
const RETAIL_QUIET_MODULES = 9

/** Modules that guard bars are longer than the others. */
const GUARD_MODULES = 5

function drawRetail(
  retail: Retail,
  data: string,
  height: number,
  module: number,
  line: boolean,
  above: boolean,
): DrawnSymbol {
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
    quiet: { along: RETAIL_QUIET_MODULES * module },
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
export function toUpcE(data: string): string {
  const digits = data.replace(/\D/g, '')
  if (digits.length <= 8) return toDigits(digits, 7)
  const [maker, product] = [digits.slice(-10, -5), digits.slice(-5)]
  if (/[012]00$/.test(maker)) return `0${maker.slice(0, 2)}${product.slice(2)}${maker[2]}`
  if (maker.endsWith('00')) return `0${maker.slice(0, 3)}${product.slice(3)}3`
  if (maker.endsWith('0')) return `0${maker.slice(0, 4)}${product.slice(4)}4`
  return `0${maker}${product.slice(4)}`
}

export const retail =
  (kind: Retail, read = (data: string) => toDigits(data, kind.digits)): Draw =>
  (data, parameters, by) => {
    const digits = read(data)
    const drawn = drawRetail(
      kind,
      digits,
      parameters.dots(1, by.height),
      by.module,
      parameters.flag(2, true),
      parameters.flag(3, false),
    )
    // Fewer digits are filled with zeros, and the check digit may be left out.
    // UPC-E is also made of a longer number.
    const isShort = kind === UPCE || data.trim().length <= kind.digits + 1
    const isHeld = /^\d*$/.test(data.trim()) && isShort
    return isHeld ? drawn : { ...drawn, changed: digits }
  }

export const extension: Draw = (data, parameters, by) => {
  const digits = data.replace(/\D/g, '')
  const symbol = encodeSymbol(digits.length > 2 ? 'ean5' : 'ean2', toDigits(digits, digits.length > 2 ? 5 : 2))
  return bars(symbol, parameters.dots(1, by.height), by, digits, parameters.flag(2, true), parameters.flag(3, true))
}
