/**
 * The rows of a page in PWG raster and Apple raster. A group of equal rows has a count, and a row is compressed by
 * pixels as in PackBits. Reference: PWG 5102.4, section 4.4.
 */
import { InvalidImage } from '../invalid-image.ts'
import type { RasterPage } from './page-header.ts'

/** The rest of the row is white. */
const CLEAR = 128

/** A document and how far it is read. */
export interface Reader {
  bytes: Buffer
  at: number
}

/**
 * Reads a page up to its end.
 *
 * @yields a row, which is valid until the next one, and how often it occurs.
 * @throws InvalidImage if the page is cut off or has more rows or pixels than its header states.
 */
export function* decodeRows(reader: Reader, { height, bytesPerRow, colours }: RasterPage) {
  const white = colours === 'black' ? 0 : 0xff
  const row = Buffer.alloc(bytesPerRow)
  for (let rows = 0; rows < height; ) {
    const count = readByte(reader) + 1
    rows += count
    if (rows > height) throw new InvalidImage('image_damaged')
    decodeRow(reader, row, { pixelBytes: colours === 'rgb' ? 3 : 1, white })
    yield { row, count }
  }
}

function decodeRow(reader: Reader, row: Buffer, { pixelBytes, white }: { pixelBytes: number; white: number }): void {
  const { bytes } = reader
  for (let filled = 0; filled < row.length; ) {
    const code = readByte(reader)
    if (code === CLEAR) {
      row.fill(white, filled)
      return
    }
    const isLiteral = code > CLEAR
    const length = (isLiteral ? 257 - code : code + 1) * pixelBytes
    const end = reader.at + (isLiteral ? length : pixelBytes)
    if (filled + length > row.length || end > bytes.length) throw new InvalidImage('image_damaged')
    if (isLiteral) bytes.copy(row, filled, reader.at, end)
    else row.fill(bytes.subarray(reader.at, end), filled, filled + length)
    reader.at = end
    filled += length
  }
}

function readByte(reader: Reader): number {
  const value = reader.bytes[reader.at++]
  if (value === undefined) throw new InvalidImage('image_damaged')
  return value
}
