/** A page as a raster image in ESC/POS, with a cut. Pure. */
import type { Bitmap } from './bitmap.ts'

/** Rows of one command. The buffers of small printers hold as many. */
const ROWS_MAX = 240

/**
 * Real-time commands (`DLE EOT`, `DLE ENQ`, `DLE DC4`), which a printer executes also inside the data of an image: they
 * open the cash drawer, switch off or delete what is not printed.
 */
const DLE = 0x10
const REAL_TIME: readonly (number | undefined)[] = [0x04, 0x05, 0x14]
/** The dot of `DLE` and the one on its left. */
const DLE_WIDENED = 0x30

/**
 * Resets what a raw receipt before may have set: upside-down print, margins, justification, page mode, text that is not
 * printed yet.
 */
const INITIALIZE = Buffer.from([0x1b, 0x40])
/** Feeds to the position of the cut and cuts, except for one point. Printers without a cutter only feed. */
const CUT = Buffer.from([0x1d, 0x56, 66, 0])

/** `GS v 0` in normal size: width in bytes and height in dots, each with the low byte first. */
const toHeader = (bytesPerRow: number, rows: number) =>
  Buffer.from([0x1d, 0x76, 0x30, 0, bytesPerRow & 0xff, bytesPerRow >> 8, rows & 0xff, rows >> 8])

export function encodeEscpos({ height, bytesPerRow, dots: drawn }: Bitmap): Buffer {
  const dots = widenRealTime(drawn)
  const parts: Uint8Array[] = [INITIALIZE]
  for (let row = 0; row < height; row += ROWS_MAX) {
    const rows = Math.min(ROWS_MAX, height - row)
    parts.push(toHeader(bytesPerRow, rows), dots.subarray(row * bytesPerRow, (row + rows) * bytesPerRow))
  }
  return Buffer.concat([...parts, CUT])
}

/**
 * A command can begin in one row and end in the next. The bytes around the data of one image contain and complete none.
 */
function widenRealTime(drawn: Uint8Array): Buffer {
  const dots = Buffer.from(drawn)
  for (let at = dots.indexOf(DLE); at !== -1; at = dots.indexOf(DLE, at + 1))
    if (REAL_TIME.includes(dots[at + 1])) dots[at] = DLE_WIDENED
  return dots
}
