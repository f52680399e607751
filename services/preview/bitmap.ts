/** Bitmaps of one bit per dot, and their PNG files. */
import { unzlibSync, zlibSync } from 'fflate'
import { SIDE_MAX_DOTS } from './budget.ts'

export interface Bitmap {
  width: number
  height: number
  /** Rows of `ceil(width / 8)` bytes, the leftmost dot in the highest bit, 1 is black. */
  bits: Uint8Array
}

export const toRowBytes = (width: number): number => Math.ceil(width / 8)

export function isSet({ width, bits }: Bitmap, x: number, y: number): boolean {
  return ((bits[y * toRowBytes(width) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, value) => {
  let crc = value
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function toCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  for (let index = 0; index < 4; index++) chunk[4 + index] = type.charCodeAt(index)
  chunk.set(data, 8)
  view.setUint32(data.length + 8, toCrc(chunk.subarray(4, data.length + 8)))
  return chunk
}

/** @returns a PNG in base64 whose set dots have the color and whose other dots are transparent. */
export function toPng({ width, height, bits }: Bitmap, color: 'black' | 'white'): string {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = 1
  header[9] = 3
  const rowBytes = toRowBytes(width)
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y++) rows.set(bits.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1)
  const ink = color === 'black' ? 0 : 255
  const chunks = [
    Uint8Array.from(SIGNATURE),
    toChunk('IHDR', header),
    toChunk('PLTE', Uint8Array.of(255, 255, 255, ink, ink, ink)),
    toChunk('tRNS', Uint8Array.of(0, 255)),
    toChunk('IDAT', zlibSync(rows, { level: 6 })),
    toChunk('IEND', new Uint8Array()),
  ]
  return toBase64(chunks)
}

function toBase64(parts: Uint8Array[]): string {
  let binary = ''
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 8192) binary += String.fromCharCode(...part.subarray(at, at + 8192))
  }
  return btoa(binary)
}

/**
 * Inflates at most `maxBytes`.
 *
 * @throws Error if the data is damaged or longer.
 */
export function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  return unzlibSync(data, { out: new Uint8Array(maxBytes) })
}

/** Channels per color type of PNG. */
const CHANNELS: Record<number, number | undefined> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Reads a PNG without interlacing. Dots darker than half are black.
 *
 * @throws Error if the file is damaged or of another kind.
 */
export function readPng(file: Uint8Array): Bitmap {
  if (SIGNATURE.some((byte, index) => file[index] !== byte)) throw new Error('no PNG')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [depth = 0, type = 0, , , interlaced] = file.subarray(24, 29)
  const channels = CHANNELS[type]
  if (!width || !height || width > SIDE_MAX_DOTS || height > SIDE_MAX_DOTS || width * height > 16_000_000)
    throw new Error('size')
  if (!channels || interlaced || ![1, 2, 4, 8].includes(depth)) throw new Error('kind of PNG')
  let palette = new Uint8Array()
  let opacity = new Uint8Array()
  const data: Uint8Array[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at)
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8))
    const body = file.slice(at + 8, at + 8 + length)
    if (kind === 'PLTE') palette = body
    if (kind === 'tRNS') opacity = body
    if (kind === 'IDAT') data.push(body)
    at += 12 + length
  }
  const pixelBytes = Math.max(1, (channels * depth) / 8)
  const lineBytes = Math.ceil((width * channels * depth) / 8)
  const lines = unfilter(inflate(join(data), height * (lineBytes + 1)), height, lineBytes, pixelBytes)
  const bits = new Uint8Array(toRowBytes(width) * height)
  const sample = (y: number, index: number) => {
    const shift = 8 - depth - ((index * depth) & 7)
    return ((lines[y * lineBytes + ((index * depth) >> 3)] ?? 0) >> shift) & ((1 << depth) - 1)
  }
  const scale = 255 / ((1 << depth) - 1)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const first = sample(y, x * channels)
      let light = first * scale
      let alpha = 255
      if (type === 3) {
        light =
          (palette[first * 3] ?? 0) * 0.3 + (palette[first * 3 + 1] ?? 0) * 0.59 + (palette[first * 3 + 2] ?? 0) * 0.11
        alpha = opacity[first] ?? 255
      } else if (type & 2) {
        light = first * 0.3 + sample(y, x * channels + 1) * 0.59 + sample(y, x * channels + 2) * 0.11
      }
      if (type & 4) alpha = sample(y, x * channels + channels - 1)
      const isDark = 255 - (255 - light) * (alpha / 255) < 128
      const at = y * toRowBytes(width) + (x >> 3)
      if (isDark) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return { width, height, bits }
}

function join(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Undoes the filters of PNG lines. */
function unfilter(data: Uint8Array, height: number, lineBytes: number, pixelBytes: number): Uint8Array {
  const lines = new Uint8Array(height * lineBytes)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (lineBytes + 1)]
    for (let x = 0; x < lineBytes; x++) {
      const at = y * lineBytes + x
      const left = x >= pixelBytes ? (lines[at - pixelBytes] ?? 0) : 0
      const up = y > 0 ? (lines[at - lineBytes] ?? 0) : 0
      const corner = x >= pixelBytes && y > 0 ? (lines[at - lineBytes - pixelBytes] ?? 0) : 0
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      lines[at] = (data[y * (lineBytes + 1) + 1 + x] ?? 0) + predicted
    }
  }
  return lines
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
