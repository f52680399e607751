/** Commands that begin with `ESC`, by the character after it. */

import type { Handler } from './command.ts'
import { isTable } from './encodings.ts'
import { toColumns } from './images.ts'

/** Dots per bit of `ESC *`, and bytes of a column. */
const MODES: Record<number, { scaleX: number; scaleY: number; columnBytes: number } | undefined> = {
  0: { scaleX: 2, scaleY: 3, columnBytes: 1 },
  1: { scaleX: 1, scaleY: 3, columnBytes: 1 },
  32: { scaleX: 2, scaleY: 1, columnBytes: 3 },
  33: { scaleX: 1, scaleY: 1, columnBytes: 3 },
}

/** Digits are allowed for numbers from 0 to 9. */
const toNumber = (value: number): number => (value >= 0x30 && value <= 0x39 ? value - 0x30 : value)

export const ESC_COMMANDS: Record<string, Handler | undefined> = {
  '@': ({ printer }) => printer.reset(),
  ' ': ({ printer, reader }) => {
    printer.style = { ...printer.style, charGap: reader.byte() }
  },
  '!': ({ printer, reader }) => {
    const mode = reader.byte()
    printer.style = {
      ...printer.style,
      font: mode & 0x01 ? 'B' : 'A',
      bold: (mode & 0x08) !== 0,
      scaleY: mode & 0x10 ? 2 : 1,
      scaleX: mode & 0x20 ? 2 : 1,
      underline: mode & 0x80 ? 1 : 0,
    }
  },
  $: ({ printer, reader }) => {
    printer.x = reader.word()
  },
  '\\': ({ printer, reader }) => {
    const move = reader.word()
    printer.x += move >= 0x8000 ? move - 0x10000 : move
  },
  '*': ({ printer, reader, offset }) => {
    const number = reader.byte()
    const mode = MODES[number]
    const columns = reader.word()
    if (!mode) printer.warn(offset, `Unknown mode ${number} of ESC *.`)
    const bitmap = mode && toColumns(columns, mode.columnBytes, reader.take(columns * mode.columnBytes))
    if (bitmap) printer.addImage(bitmap, mode.scaleX, mode.scaleY)
  },
  '-': ({ printer, reader }) => {
    printer.style = { ...printer.style, underline: Math.min(2, toNumber(reader.byte())) }
  },
  '2': ({ printer }) => {
    printer.lineFeed = 30
  },
  '3': ({ printer, reader }) => {
    printer.lineFeed = reader.byte()
  },
  '&': ({ reader }) => {
    const [height, first, last] = [reader.byte(), reader.byte(), reader.byte()]
    for (let code = first; code <= last; code++) reader.take(reader.byte() * height)
  },
  D: ({ printer, reader }) => {
    printer.tabs = []
    while (!reader.ended) {
      const column = reader.byte()
      // The list ends with 0, or where it does not ascend.
      if (column <= (printer.tabs.at(-1) ?? 0)) break
      printer.tabs.push(column)
    }
  },
  E: ({ printer, reader }) => {
    printer.style = { ...printer.style, bold: (reader.byte() & 1) !== 0 }
  },
  G: ({ printer, reader }) => {
    printer.style = { ...printer.style, bold: (reader.byte() & 1) !== 0 }
  },
  J: ({ printer, reader }) => {
    const dots = reader.byte()
    if (printer.hasLine) printer.printLine(dots)
    else printer.feed(dots)
  },
  K: ({ printer, reader }) => {
    reader.byte()
    printer.printRest(0)
  },
  M: ({ printer, reader }) => {
    printer.style = { ...printer.style, font: toNumber(reader.byte()) === 1 ? 'B' : 'A' }
  },
  R: ({ printer, reader }) => {
    printer.country = reader.byte()
  },
  V: ({ printer, reader, offset }) => {
    if (toNumber(reader.byte())) printer.warn(offset, 'The picture does not show characters that ESC V rotates.')
  },
  a: ({ printer, reader }) => {
    printer.align = (['left', 'center', 'right'] as const)[toNumber(reader.byte())] ?? printer.align
  },
  d: ({ printer, reader }) => {
    const lines = reader.byte()
    // The line that is printed is the first.
    const printed = printer.hasLine
    printer.printRest(lines ? undefined : 0)
    printer.feedLines(printed ? lines - 1 : lines)
  },
  e: ({ reader }) => {
    reader.byte()
  },
  i: ({ printer }) => printer.addEvent('cut'),
  m: ({ printer }) => printer.addEvent('cut'),
  p: ({ printer, reader }) => {
    reader.take(3)
    printer.addEvent('drawer')
  },
  B: ({ printer, reader }) => {
    reader.take(2)
    printer.addEvent('buzzer')
  },
  t: ({ printer, reader, offset }) => {
    const table = reader.byte()
    if (isTable(table)) printer.table = table
    else printer.warn(offset, `Unknown character table ${table} of ESC t.`)
  },
  '{': ({ printer, reader }) => {
    printer.style = { ...printer.style, upsideDown: (reader.byte() & 1) !== 0 }
  },
  L: ({ printer, offset }) => printer.warn(offset, 'Page mode is drawn line by line.'),
}
