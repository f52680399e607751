/** A page as a raster image in ESC/POS, with a cut. Pure. */
import type { Bitmap } from './bitmap.ts'

/** Of one command. The buffers of small printers hold as many. */
const ROWS_MAX = 240

const INITIALIZE = Buffer.from([0x1b, 0x40])
/** Feeds to the position of the cut and cuts, except for one point. Printers without a cutter only feed. */
const CUT = Buffer.from([0x1d, 0x56, 66, 0])

/** `GS v 0` in normal size: width in bytes and height in dots, each with the low byte first. */
const toHeader = (bytesPerRow: number, rows: number) =>
  Buffer.from([0x1d, 0x76, 0x30, 0, bytesPerRow & 0xff, bytesPerRow >> 8, rows & 0xff, rows >> 8])

export function encodeEscpos({ height, bytesPerRow, dots }: Bitmap): Buffer {
  const parts: Uint8Array[] = [INITIALIZE]
  for (let row = 0; row < height; row += ROWS_MAX) {
    const rows = Math.min(ROWS_MAX, height - row)
    parts.push(toHeader(bytesPerRow, rows), dots.subarray(row * bytesPerRow, (row + rows) * bytesPerRow))
  }
  return Buffer.concat([...parts, CUT])
}
