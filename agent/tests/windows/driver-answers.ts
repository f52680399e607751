/**
 * Answers of drivers to DeviceCapabilitiesW in the format of the documentation of Windows: lists of items of fixed
 * length.
 */
import { DC } from '../../spoolers/windows/device-capabilities.ts'
import recorded from './recorded-capabilities.json' with { type: 'json' }

/** A number or the buffer of a list, by capability. */
export type DriverAnswers = Record<number, number | { count: number; items: Buffer }>

/** Texts with a fixed length in UTF-16 units. A text of the full length has no NUL. */
export function texts(names: string[], units: number) {
  const items = names.map((name) => Buffer.concat([Buffer.from(name, 'utf16le')], units * 2))
  return { count: names.length, items: Buffer.concat(items) }
}

export const words = (...numbers: number[]) => ({
  count: numbers.length,
  items: Buffer.from(Uint16Array.from(numbers).buffer),
})

/** LONGs. @param perItem the number of LONGs per item. */
export const longs = (numbers: number[], perItem = 1) => ({
  count: numbers.length / perItem,
  items: Buffer.from(Int32Array.from(numbers).buffer),
})

export const extent = (width: number, height: number) => (height << 16) | width

/** An office printer. */
export const LASER: DriverAnswers = {
  [DC.PAPERNAMES]: texts(['A4', 'A5', 'Letter', 'Benutzerdefiniert'], 64),
  [DC.PAPERS]: words(9, 11, 1, 256),
  [DC.PAPERSIZE]: longs([2100, 2970, 1480, 2100, 2159, 2794, 0, 0], 2),
  [DC.BINNAMES]: texts(['Automatic', 'Tray 1', 'Tray 2'], 24),
  [DC.BINS]: words(15, 257, 258),
  [DC.ENUMRESOLUTIONS]: longs([300, 300, 600, 600], 2),
  [DC.MEDIATYPENAMES]: texts(['Plain', 'Labels'], 64),
  [DC.MINEXTENT]: extent(762, 1270),
  [DC.MAXEXTENT]: extent(2160, 3560),
  [DC.PRINTRATE]: 38,
  [DC.PRINTRATEUNIT]: 1,
  [DC.DUPLEX]: 1,
  [DC.COLORDEVICE]: 0,
  [DC.COLLATE]: 1,
  [DC.COPIES]: 999,
  [DC.NUP]: longs([1, 2, 4]),
}

/** Recorded from a laser printer under Wine 8.0 (win64). Lists consist of count and bytes. */
export const RECORDED: DriverAnswers = Object.fromEntries(
  Object.entries(recorded).map(([capability, answer]) => {
    if (typeof answer === 'number') return [capability, answer]
    const [count = '', items = ''] = answer.split(' ')
    return [capability, { count: Number(count), items: Buffer.from(items, 'base64') }]
  }),
)
