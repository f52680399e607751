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

const LABEL =
  /\^XA\^PW(\d+)\^LL(\d+)\^LH0,0\^LS0(?:\^FO0,0\^GFA,(\d+),\3,(\d+),:Z64:([\w+/=]+):([0-9A-F]{4})\^FS)?\^XZ\n/g

/** @throws if the data have anything but labels of one graphic each. */
export function readZpl(zpl: Buffer) {
  const text = zpl.toString('latin1')
  const labels = [...text.matchAll(LABEL)].map(([, width, length, size, bytesPerRow, base64 = '', crc = '']) => {
    const bytes = base64 ? inflateSync(Buffer.from(base64, 'base64')) : Buffer.alloc(0)
    if (bytes.length !== Number(size ?? 0)) throw new Error('the graphic has another size')
    return { width: Number(width), length: Number(length), base64, crc, dots: toDots(bytes, Number(bytesPerRow ?? 1)) }
  })
  if (text.replaceAll(LABEL, '') !== '') throw new Error('the labels have other commands')
  return labels
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
