/** What drivers answer to DeviceCapabilitiesW, laid out as the documentation of Windows says: lists of fixed places, one after the other. */

import { DC } from '../../spoolers/windows/device-capabilities.ts'
import recorded from './recorded-capabilities.json' with { type: 'json' }

/** By capability: a number, or a list in its buffer. */
export type DriverAnswers = Record<number, number | { count: number; items: Buffer }>

/** Each text in a place of so many UTF-16 units; one that fills it has no NUL at its end. */
export function texts(names: string[], units: number) {
  const items = Buffer.alloc(names.length * units * 2)
  for (const [index, name] of names.entries()) items.write(name, index * units * 2, units * 2, 'utf16le')
  return { count: names.length, items }
}

export function words(numbers: number[]) {
  const items = Buffer.alloc(numbers.length * 2)
  for (const [index, number] of numbers.entries()) items.writeUInt16LE(number, index * 2)
  return { count: numbers.length, items }
}

/** LONGs. @param perItem how many of them make an item of the list. */
export function longs(numbers: number[], perItem = 1) {
  const items = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) items.writeInt32LE(number, index * 4)
  return { count: numbers.length / perItem, items }
}

export const extent = (width: number, height: number) => (height << 16) | width

/** An office printer. */
export const LASER: DriverAnswers = {
  [DC.PAPERNAMES]: texts(['A4', 'A5', 'Letter', 'Benutzerdefiniert'], 64),
  [DC.PAPERS]: words([9, 11, 1, 256]),
  [DC.PAPERSIZE]: longs([2100, 2970, 1480, 2100, 2159, 2794, 0, 0], 2),
  [DC.BINNAMES]: texts(['Automatic', 'Tray 1', 'Tray 2'], 24),
  [DC.BINS]: words([15, 257, 258]),
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

/** What two drivers really answered; see the file for where. */
export function recordedAnswers(driver: 'laser' | 'generic'): DriverAnswers {
  const answers: Record<string, number | { count: number; items: string }> = recorded.drivers[driver]
  return Object.fromEntries(
    Object.entries(answers).map(([capability, answer]) => [
      capability,
      typeof answer === 'number' ? answer : { count: answer.count, items: Buffer.from(answer.items, 'base64') },
    ]),
  )
}
