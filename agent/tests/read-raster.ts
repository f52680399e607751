/** Reads what the agent draws for raw printers, and bar codes in it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { prepareZXingModule, readBarcodes, writeBarcode } from 'zxing-wasm/full'

export interface Dots {
  width: number
  height: number
  isBlack(x: number, y: number): boolean
}

function toDots(bytes: Buffer, bytesPerRow: number): Dots {
  return {
    width: bytesPerRow * 8,
    height: bytes.length / bytesPerRow,
    isBlack: (x, y) => ((bytes[y * bytesPerRow + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0,
  }
}

/** What a ZPL printer keeps from one label to the next, as drawn labels need it. */
const ZPL_DEFAULTS = {
  caret: '^',
  tilde: '~',
  comma: ',',
  unit: 'D',
  dotsPerMillimetre: 'A',
  orientation: 'N',
  mirrored: 'N',
  reversed: 'N',
  width: 0,
  length: 0,
}
type ZplState = typeof ZPL_DEFAULTS

const ZPL_COMMANDS: Record<string, keyof ZplState> = {
  ...{ CC: 'caret', CT: 'tilde', CD: 'comma', MU: 'unit', JM: 'dotsPerMillimetre' },
  ...{ PO: 'orientation', PM: 'mirrored', LR: 'reversed', PW: 'width', LL: 'length' },
}
/** They begin a control command and a format command whatever the characters are. */
const [DLE, RS] = ['\x10', '\x1e']
const CHARACTERS = ['CC', 'CT', 'CD']
const FIXED = ['FO0,0', 'LH0,0', 'LS0', 'FS', 'XA', 'XZ']

/**
 * @returns each label as it comes out.
 * @throws if the data have anything but labels of one graphic each, and the state of the printer.
 */
export function readZpl(zpl: Buffer) {
  const text = zpl.toString('latin1')
  const state: Record<string, string | number> = { ...ZPL_DEFAULTS }
  const isPrefix = (character = '') => [state.caret, state.tilde, DLE, RS].includes(character)
  const labels = []
  let graphic = toGraphic([])
  for (let at = 0; at < text.length; ) {
    if (text[at] === '\n') {
      at++
      continue
    }
    if (!isPrefix(text[at])) throw new Error(`unexpected text at ${at}`)
    const name = text.slice(at + 1, at + 3)
    const setting = ZPL_COMMANDS[name]
    at += 3
    // The new character can be one that begins commands.
    let end = at + 1
    if (!CHARACTERS.includes(name)) {
      end = at
      while (end < text.length && !isPrefix(text[end]) && text[end] !== '\n') end++
    }
    const value = text.slice(at, end)
    at = end
    if (setting) state[setting] = typeof ZPL_DEFAULTS[setting] === 'number' ? Number(value) : value
    else if (name === 'GF') graphic = toGraphic(value.split(String(state.comma)))
    else if (!FIXED.includes(name + value)) throw new Error(`the labels have the command ${name}${value}`)
    if (name === 'XZ') {
      labels.push(toLabel({ ...(state as ZplState) }, graphic))
      graphic = toGraphic([])
    }
  }
  return labels
}

function toGraphic([format, size = '0', total, bytesPerRow, data = '']: string[]) {
  const [, base64 = '', crc = ''] = /^:Z64:([\w+/=]+):([0-9A-F]{4})$/.exec(data) ?? []
  const bytes = base64 ? inflateSync(Buffer.from(base64, 'base64')) : Buffer.alloc(0)
  if (bytes.length !== Number(size) || (format !== undefined && (format !== 'A' || total !== size)))
    throw new Error('the graphic has another size')
  return { base64, crc, dots: toDots(bytes, Number(bytesPerRow ?? 1)) }
}

function toLabel({ width, length, ...state }: ZplState, { base64, crc, dots }: ReturnType<typeof toGraphic>) {
  const isScaled = state.unit !== 'D' || state.dotsPerMillimetre !== 'A'
  const isInverted = state.orientation === 'I'
  const isBlack = (x: number, y: number) => {
    const column = isInverted !== (state.mirrored === 'Y') ? width - 1 - x : x
    return dots.isBlack(column, isInverted ? length - 1 - y : y) !== (state.reversed === 'Y')
  }
  return { width, length, isScaled, base64, crc, dots: { ...dots, isBlack } }
}

/** @throws for any command but initialization, raster image and cut. @returns a receipt for each cut. */
export function readEscpos(data: Buffer): Dots[] {
  const receipts: Dots[] = []
  let bytes = Buffer.alloc(0)
  let bytesPerRow = 1
  for (let at = 0; at < data.length; ) {
    const command = data.toString('latin1', at, at + 3)
    if (command.startsWith('\x1b@')) at += 2
    else if (command === '\x1dv0') {
      bytesPerRow = data.readUInt16LE(at + 4)
      const size = bytesPerRow * data.readUInt16LE(at + 6)
      bytes = Buffer.concat([bytes, data.subarray(at + 8, at + 8 + size)])
      at += 8 + size
    } else if (command === '\x1dVB') {
      receipts.push(toDots(bytes, bytesPerRow))
      bytes = Buffer.alloc(0)
      at += 4
    } else throw new Error(`unexpected command at ${at}`)
  }
  return receipts
}

prepareZXingModule({
  overrides: {
    wasmBinary: readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/full/zxing_full.wasm'))
      .buffer as ArrayBuffer,
  },
})

/** @returns the texts of the bar codes. */
export async function readCodes({ width, height, isBlack }: Dots): Promise<string[]> {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (isBlack(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  const found = await readBarcodes({ data, width, height, colorSpace: 'srgb' }, { formats: ['Code128', 'QRCode'] })
  return found.map(({ text }) => text)
}

/** @returns operators of PDF that fill the bars from a point on. */
export async function drawCode128(
  text: string,
  { x, y, module, height }: Record<'x' | 'y' | 'module' | 'height', number>,
) {
  const { symbol, error } = await writeBarcode(text, { format: 'Code128', scale: 1, addQuietZones: false })
  if (!symbol) throw new Error(error)
  const bars = Array.from(symbol.data.slice(0, symbol.width), (value, at) => ({ value, at })).filter(
    ({ value }) => value === 0,
  )
  return `0 g ${bars.map(({ at }) => `${x + at * module} ${y} ${module} ${height} re`).join(' ')} f`
}
