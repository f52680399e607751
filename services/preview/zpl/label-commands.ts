/** Commands that begin and end labels, and set what the printer keeps for the labels that follow. */
import { isCharacterSet } from './encodings.ts'
import { isResidentFont } from './fonts.ts'
import { type Handler, newFieldState, toObjectName } from './printer.ts'

const setSyntax =
  (key: 'caret' | 'tilde' | 'delimiter'): Handler =>
  (printer, _, { text }) => {
    if (text.trim()) printer.syntax[key] = text.charAt(0)
  }

export const LABEL_COMMANDS: Record<string, Handler | undefined> = {
  '^XA': (printer, _, { offset }) => {
    printer.label = { fields: [], values: new Map(), offset }
    printer.field = newFieldState()
  },
  '^XZ': (printer) => {
    if (printer.field.graphic) printer.endField()
    else if (printer.field.data && printer.label && !printer.label.stores)
      printer.warn(printer.field.offset, 'The last field has no ^FS, so it is not printed.')
    printer.endLabel()
  },
  '^PW': (printer, parameters) => {
    printer.width = parameters.dots(0, 0) > 1 ? parameters.dots(0, 0) : printer.width
  },
  '^LL': (printer, parameters) => {
    printer.length = parameters.dots(0, 0) > 1 ? parameters.dots(0, 0) : printer.length
  },
  '^LH': (printer, parameters) => {
    printer.home = { x: parameters.dots(0, 0), y: parameters.dots(1, 0) }
  },
  '^LT': (printer, parameters) => {
    printer.top = Math.min(120, Math.max(-120, parameters.dots(0, 0)))
  },
  '^LS': (printer, parameters) => {
    printer.shift = parameters.dots(0, 0)
  },
  '^LR': (printer, parameters) => {
    printer.reverseAll = parameters.flag(0, false)
  },
  '^PO': (printer, parameters) => {
    printer.inverted = parameters.text(0, 'N').toUpperCase() === 'I'
  },
  '^PM': (printer, parameters) => {
    printer.mirrored = parameters.flag(0, false)
  },
  '^MC': (printer, parameters) => {
    printer.keepsLabel = !parameters.flag(0, true)
  },
  '^JM': (printer, parameters) => {
    printer.doubled = parameters.text(0, 'A').toUpperCase() === 'B'
  },
  '^MN': (printer, parameters) => {
    printer.continuous = parameters.text(0, '').toUpperCase() === 'N'
  },
  '^MU': (printer, parameters) => {
    const unit = parameters.text(0, 'D').toUpperCase()
    const [from, to] = [parameters.number(1, 0, 0, 600), parameters.number(2, 0, 0, 600)]
    printer.dotsPerUnit =
      unit === 'M' ? printer.dotsPerMm : unit === 'I' ? printer.dotsPerMm * 25.4 : from && to ? to / from : 1
  },
  '^FW': (printer, parameters) => {
    printer.orientation = parameters.orientation(0, printer.orientation)
    if (parameters.has(1)) printer.right = parameters.number(1, 0, 0, 2) === 1
  },
  '^CF': (printer, parameters, { offset }) => {
    const name = parameters.text(0, printer.font.name).charAt(0).toUpperCase()
    const file = printer.aliases.get(name)
    if (file) printer.warn(offset, `The font ${file} is drawn as font 0.`)
    const [height, width] = [Math.max(0, parameters.dots(1, 0)), Math.max(0, parameters.dots(2, 0))]
    printer.font = { name: file ? '0' : isResidentFont(name) ? name : printer.font.name, height, width }
  },
  '^CI': (printer, parameters, { offset }) => {
    const set = parameters.number(0, 0, 0, 99)
    if (isCharacterSet(set)) printer.characterSet = set
    else printer.warn(offset, `Unknown character set ^CI${set}.`)
  },
  '^CW': (printer, parameters) => {
    const letter = parameters.text(0, '').charAt(0).toUpperCase()
    if (letter && parameters.has(1)) printer.aliases.set(letter, parameters.text(1, ''))
  },
  '^BY': (printer, parameters) => {
    printer.by = {
      module: parameters.number(0, printer.by.module, 1, 100),
      ratio: parameters.decimal(1, printer.by.ratio, 2, 3),
      height: Math.max(1, parameters.dots(2, printer.by.height)),
    }
  },
  '^DF': (printer, parameters) => {
    if (printer.label) printer.label.stores = { name: toObjectName(parameters.text(0, ''), 'ZPL'), commands: [] }
  },
  '^XF': (printer, parameters, { offset }) => printer.useFormat(toObjectName(parameters.text(0, ''), 'ZPL'), offset),
  '^CC': setSyntax('caret'),
  '~CC': setSyntax('caret'),
  '^CT': setSyntax('tilde'),
  '~CT': setSyntax('tilde'),
  '^CD': setSyntax('delimiter'),
  '~CD': setSyntax('delimiter'),
}
