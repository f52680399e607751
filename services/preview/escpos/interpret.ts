/**
 * Interprets ESC/POS. Each command has a handler that reads its parameters, or a known length by which it is skipped. A
 * command that is not known is named, and only its two bytes are skipped, because its length is not known.
 */
import { type Budget, BudgetExceeded } from '../budget.ts'
import type { Page } from '../display-list.ts'
import type { Paper } from '../preview.ts'
import { type Context, toName } from './command.ts'
import { ESC_COMMANDS } from './esc-commands.ts'
import { GS_COMMANDS } from './gs-commands.ts'
import { ReceiptPrinter } from './printer.ts'
import { Reader, toText } from './reader.ts'

const [HT, LF, FF, CR, DLE, CAN, ESC, FS, GS] = [0x09, 0x0a, 0x0c, 0x0d, 0x10, 0x18, 0x1b, 0x1c, 0x1d] as const

/** @returns the receipt as one page. */
export function interpretEscPos(document: Uint8Array, paper: Paper, budget: Budget): Page {
  const printer = new ReceiptPrinter(paper, budget)
  const reader = new Reader(document)
  try {
    while (!reader.ended) readNext(printer, reader)
    printer.printRest()
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    printer.warn(reader.at, error.message)
  }
  return printer.toPage()
}

function readNext(printer: ReceiptPrinter, reader: Reader): void {
  const offset = reader.at
  const context = { printer, reader, offset }
  const byte = reader.byte()
  if (byte >= 0x20) {
    let end = reader.at
    while (end - offset < 1_000 && (reader.peekAt(end) ?? 0) >= 0x20) end++
    reader.at = offset
    printer.text(toText(reader.take(end - offset)))
    return
  }
  printer.budget.spendCommand()
  if (byte === LF || byte === FF) printer.printLine()
  else if (byte === HT) printer.tab()
  else if (byte === ESC || byte === GS || byte === FS) readCommand(byte, context)
  else if (byte === DLE) skipRealTime(context)
  else if (byte !== CR && byte !== CAN && byte !== 0) warnUnknown(context, [byte])
}

function readCommand(prefix: number, context: Context): void {
  const { reader } = context
  const name = reader.byte()
  const letter = String.fromCharCode(name)
  const handler = prefix === ESC ? ESC_COMMANDS[letter] : prefix === GS ? GS_COMMANDS[letter] : undefined
  if (handler) handler(context)
  else if (letter === '(') {
    // Commands of this form have their length.
    const kind = String.fromCharCode(reader.byte())
    const length = reader.word()
    reader.take(length)
    const known = KNOWN_BLOCKS[prefix] ?? ''
    if (!known.includes(kind))
      context.printer.warn(context.offset, `Unknown command ${PREFIXES[prefix]} ( ${toName(kind)}.`)
  } else {
    if (prefix === FS && letter === '&')
      context.printer.warn(context.offset, 'The picture does not show the double-byte characters of FS &.')
    const length = SKIPPED[prefix]?.[letter]
    if (length === undefined) warnUnknown(context, [prefix, name])
    else reader.take(length)
  }
}

const PREFIXES: Record<number, string | undefined> = { [ESC]: 'ESC', [FS]: 'FS', [GS]: 'GS', [DLE]: 'DLE' }

/** Commands of the form `GS ( A` that put nothing on paper. */
const KNOWN_BLOCKS: Record<number, string | undefined> = { [ESC]: 'AY', [GS]: 'ACDEHKMNPQVXYZ', [FS]: 'ACELeg' }

/** Bytes after commands that put nothing on paper. */
const SKIPPED: Record<number, Record<string, number | undefined> | undefined> = {
  [ESC]: { '%': 1, '<': 0, '=': 1, '?': 1, S: 0, L: 0, T: 1, U: 1, W: 8, c: 2, i: 0, m: 0, r: 1, u: 1, v: 0, s: 1, d: 1, '\f': 0 }, // biome-ignore format: a table
  [GS]: { $: 2, ':': 0, '\\': 2, '^': 3, E: 1, I: 1, P: 2, T: 1, a: 1, c: 0, j: 1, r: 1, z: 4, b: 1, F: 1, G: 1, N: 1, O: 0 }, // biome-ignore format: a table
  [FS]: { '!': 1, '&': 0, '-': 1, '.': 0, '2': 74, '?': 2, C: 1, S: 2, W: 1, p: 2 }, // biome-ignore format: a table
}

function warnUnknown({ printer, offset }: Context, bytes: number[]): void {
  const [first = 0, second] = bytes
  const name = PREFIXES[first] ?? `0x${first.toString(16).padStart(2, '0')}`
  printer.warn(
    offset,
    `Unknown command ${name}${second === undefined ? '' : ` ${toName(String.fromCharCode(second))}`}.`,
  )
}

/** Commands that a printer executes while it receives them. */
function skipRealTime(context: Context): void {
  const { reader, printer } = context
  const kind = reader.byte()
  if (kind === 0x04) reader.take(reader.byte() >= 7 ? 1 : 0)
  else if (kind === 0x05) reader.take(1)
  else if (kind === 0x14) {
    const purpose = reader.byte()
    if (purpose === 1) printer.addEvent('drawer')
    if (purpose === 3) printer.addEvent('buzzer')
    reader.take(purpose === 8 ? 7 : purpose === 3 ? 5 : 2)
  } else warnUnknown(context, [DLE, kind])
}
