/** Commands of one field: its position, font, bar code and data. */
import { isResidentFont } from './fonts.ts'
import type { Handler } from './printer.ts'

/** Printers take at most this much field data. */
const DATA_MAX_BYTES = 3_072

function setPosition(typeset: boolean): Handler {
  return (printer, parameters, command) => {
    // A graphic without ^FS is printed when the next field begins.
    if (printer.field.graphic) printer.endField()
    const { field } = printer
    Object.assign(field, {
      offset: command.offset,
      // Printers ignore the sign.
      x: Math.abs(parameters.dots(0, 0)),
      y: Math.abs(parameters.dots(1, 0)),
      typeset,
      automatic: typeset && !parameters.has(0) && !parameters.has(1),
      positioned: true,
      right: parameters.has(2) ? parameters.number(2, 0, 0, 2) === 1 : undefined,
    })
  }
}

export const setFont: Handler = (printer, parameters, { name, offset }) => {
  const letter = name.charAt(2)
  const { field } = printer
  field.orientation = parameters.orientation(0, field.orientation ?? printer.orientation)
  const height = Math.max(0, parameters.dots(1, 0))
  const width = Math.max(0, parameters.dots(2, 0))
  const size = height || width ? { height, width } : { height: printer.font.height, width: printer.font.width }
  const file = letter === '@' ? parameters.text(3, '') : (printer.aliases.get(letter) ?? '')
  if (letter === '@' || file) {
    printer.warn(offset, `The font ${file || 'of ^A@'} is drawn as font 0.`)
    field.font = { name: '0', ...size }
  } else if (isResidentFont(letter)) {
    field.font = { name: letter, ...size }
  } else {
    printer.warn(offset, `Printers have no font ${letter}. The text is drawn in the default font ${printer.font.name}.`)
    field.font = { name: printer.font.name, ...size }
  }
}

export const setBarCode: Handler = (printer, parameters, { name }) => {
  const letter = name.charAt(2)
  printer.field.barCode = { letter, parameters, by: printer.by }
  // MaxiCode has no orientation, and that of QR codes is always normal.
  printer.field.orientation =
    letter === 'D' || letter === 'Q' ? 'N' : parameters.orientation(0, printer.field.orientation ?? printer.orientation)
}

const setData: Handler = ({ field, characterSet }, _, command) => {
  if (!field.offset) field.offset = command.offset
  field.data = { bytes: readHexEscapes(command.text.slice(0, DATA_MAX_BYTES), field.hexIndicator), characterSet }
}

/** `^FH`: two hexadecimal digits after the indicator are a byte. */
function readHexEscapes(text: string, indicator: string | undefined): string {
  if (!indicator) return text
  let result = ''
  for (let at = 0; at < text.length; at++) {
    const digits = text.slice(at + 1, at + 3)
    if (text[at] === indicator && /^[0-9A-Fa-f]{2}$/.test(digits)) {
      result += String.fromCharCode(Number.parseInt(digits, 16))
      at += 2
    } else result += text.charAt(at)
  }
  return result
}

export const FIELD_COMMANDS: Record<string, Handler | undefined> = {
  '^FS': (printer) => printer.endField(),
  '^FX': () => undefined,
  '^FO': setPosition(false),
  '^FT': setPosition(true),
  '^FR': ({ field }) => {
    field.reverse = true
  },
  '^FH': ({ field }, parameters) => {
    field.hexIndicator = parameters.text(0, '_').charAt(0)
  },
  '^FD': setData,
  '^FV': setData,
  '^SN': (printer, parameters, command) => setData(printer, parameters, { ...command, text: parameters.text(0, '') }),
  '^FN': ({ field }, parameters) => {
    field.number = parameters.number(0, 0, 0, 9_999)
  },
  '^FP': (printer, parameters, { offset }) => {
    if (parameters.text(0, 'H').toUpperCase() !== 'H')
      printer.warn(offset, 'The picture does not show the direction of ^FP.')
    printer.field.gap = Math.max(0, parameters.dots(1, 0))
  },
  '^FB': ({ field }, parameters) => {
    const width = parameters.dots(0, 0)
    const justify = parameters.text(3, 'L').toUpperCase()
    field.block =
      width > 0
        ? {
            width,
            maxLines: parameters.number(1, 1, 1, 9_999),
            lineGap: parameters.dots(2, 0),
            justify: justify === 'C' || justify === 'R' || justify === 'J' ? justify : 'L',
            indent: Math.max(0, parameters.dots(4, 0)),
            cut: false,
          }
        : undefined
  },
  '^TB': ({ field, orientation }, parameters) => {
    field.orientation = parameters.orientation(0, field.orientation ?? orientation)
    field.textBlockHeight = Math.max(1, parameters.dots(2, 1))
    const width = Math.max(1, parameters.dots(1, 1))
    field.block = { width, maxLines: 1, lineGap: 0, justify: 'L', indent: 0, cut: true }
  },
}
