/** Writes PWG raster and Apple raster with all forms of their compression. */
import type { RasterFormat, RasterPage } from '../images/raster/page-header.ts'

export const NOT_MIRRORED = { across: false, down: false }
const BITS = { black: 1, gray: 8, rgb: 24 }

export type Page = Omit<RasterPage, 'dpi' | 'bytesPerRow'> & { rows: Buffer[] }

/** Rows with runs and changes, some of them repeated. */
export function createPage(next: (below: number) => number, facts: Omit<Page, 'rows'>): Page {
  const bytesPerRow = Math.ceil((facts.width * BITS[facts.colours]) / 8)
  const rows: Buffer[] = []
  while (rows.length < facts.height) {
    const row: Buffer = Buffer.alloc(bytesPerRow, next(2) * 255)
    for (let at = next(4); at < bytesPerRow; at += 1 + next(9)) row[at] = next(256)
    for (let n = next(4); n >= 0 && rows.length < facts.height; n--) rows.push(row)
  }
  return { ...facts, rows }
}

/** One dot for one point. */
const DPI = 72

function writeHeader(format: RasterFormat, { width, height, colours, mirrored }: Page): Buffer {
  const bits = BITS[colours]
  if (format === 'urf') {
    const header = Buffer.alloc(32)
    header[0] = bits
    header[1] = colours === 'rgb' ? 1 : 0
    for (const [at, value] of [
      [12, width],
      [16, height],
      [20, DPI],
    ] as const)
      header.writeUInt32BE(value, at)
    return header
  }
  const header = Buffer.alloc(1796)
  header.write('PwgRaster\0', 'latin1')
  const values = [
    [276, DPI],
    [280, DPI],
    [372, width],
    [376, height],
    [388, bits],
  ] as const
  for (const [at, value] of values) header.writeUInt32BE(value, at)
  header.writeUInt32BE(Math.ceil((width * bits) / 8), 392)
  header.writeUInt32BE({ black: 3, gray: 18, rgb: 19 }[colours], 400)
  header.writeInt32BE(mirrored.across ? -1 : 1, 456)
  header.writeInt32BE(mirrored.down ? -1 : 1, 460)
  return header
}

/** Chooses between the forms that encode the same. */
function encodeRow(row: Buffer, pixelBytes: number, white: number, next: (below: number) => number): Buffer {
  const pixels = Array.from({ length: row.length / pixelBytes }, (_, n) =>
    row.subarray(n * pixelBytes, (n + 1) * pixelBytes),
  )
  const parts: Buffer[] = []
  for (let at = 0; at < pixels.length; ) {
    if (pixels.slice(at).every((pixel) => pixel.every((byte) => byte === white)) && next(2) === 0) {
      parts.push(Buffer.from([128]))
      break
    }
    const most = Math.min(pixels.length - at, 128)
    let equal = 1
    while (equal < most && pixels[at + equal]?.equals(pixels[at] as Buffer)) equal++
    const literal = 2 + next(most)
    if (equal > 1 || literal > most) {
      parts.push(Buffer.from([equal - 1]), pixels[at] as Buffer)
      at += equal
    } else {
      parts.push(Buffer.from([257 - literal]), ...pixels.slice(at, at + literal))
      at += literal
    }
  }
  return Buffer.concat(parts)
}

export function writeRaster(format: RasterFormat, pages: Page[], next: (below: number) => number): Buffer {
  const parts: Buffer[] = [format === 'pwg' ? Buffer.from('RaS2') : Buffer.from('UNIRAST\0\0\0\0\0')]
  for (const page of pages) {
    const [pixelBytes, white] = [page.colours === 'rgb' ? 3 : 1, page.colours === 'black' ? 0 : 255]
    parts.push(writeHeader(format, page))
    for (let at = 0; at < page.rows.length; ) {
      let count = 1
      while (count < 256 && page.rows[at + count]?.equals(page.rows[at] as Buffer)) count++
      parts.push(Buffer.from([count - 1]), encodeRow(page.rows[at] as Buffer, pixelBytes, white, next))
      at += count
    }
  }
  return Buffer.concat(parts)
}
