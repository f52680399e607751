/** The images of `GS v 0`, `GS ( L` and `ESC *` as bitmaps. */
import { type Bitmap, toRowBytes } from '../bitmap.ts'
import { SIDE_MAX_DOTS } from '../budget.ts'

/** @param rowBytes bytes of a row. Rows that are missing at the end are white. */
export function toRaster(rowBytes: number, height: number, data: Uint8Array): Bitmap | undefined {
  const rows = Math.min(height, SIDE_MAX_DOTS, Math.ceil(data.length / Math.max(1, rowBytes)))
  if (!rowBytes || !rows || rowBytes * 8 > SIDE_MAX_DOTS) return undefined
  const bits = new Uint8Array(rowBytes * rows)
  bits.set(data.subarray(0, bits.length))
  return { width: rowBytes * 8, height: rows, bits }
}

/** @param columnBytes bytes of a column, whose highest bit is the uppermost dot. */
export function toColumns(columns: number, columnBytes: number, data: Uint8Array): Bitmap | undefined {
  if (!columns || columns > SIDE_MAX_DOTS || columnBytes * 8 > SIDE_MAX_DOTS) return undefined
  const rowBytes = toRowBytes(columns)
  const bits = new Uint8Array(rowBytes * columnBytes * 8)
  for (let x = 0; x < columns; x++) {
    for (let index = 0; index < columnBytes; index++) {
      const value = data[x * columnBytes + index] ?? 0
      for (let bit = 0; bit < 8; bit++) {
        if (!(value & (0x80 >> bit))) continue
        const at = (index * 8 + bit) * rowBytes + (x >> 3)
        bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7))
      }
    }
  }
  return { width: columns, height: columnBytes * 8, bits }
}
