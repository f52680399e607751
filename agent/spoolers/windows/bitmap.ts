/**
 * Converts pixels to a bitmap of Windows: a BITMAPINFO and rows from the bottom, with as few bytes as the content
 * allows. Pure.
 */

export interface Bitmap {
  info: Buffer
  rows: Buffer
  width: number
  height: number
}

const HEADER_BYTES = 40
const GRAYS = 256

/** The palette of grey bitmaps: 256 entries of blue, green, red and a reserved byte. */
const PALETTE = Buffer.alloc(GRAYS * 4)
for (let gray = 0; gray < GRAYS; gray++) PALETTE.writeUInt32LE(gray * 0x010101, gray * 4)

/**
 * Grey parts use one byte per pixel instead of three, and white parts are omitted, because print queues store bitmaps
 * uncompressed.
 *
 * @param pixels rows of BGRx from the top.
 * @returns undefined if all pixels are white.
 */
export function toBitmap(pixels: Uint8Array, width: number, height: number): Bitmap | undefined {
  const { isWhite, isGray } = inspectPixels(pixels)
  if (isWhite) return undefined
  const bytesPerPixel = isGray ? 1 : 3
  const stride = Math.ceil((width * bytesPerPixel) / 4) * 4
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    let from = y * width * 4
    let to = (height - 1 - y) * stride
    for (let x = 0; x < width; x++, from += 4) {
      rows[to++] = pixels[from] ?? 0
      if (isGray) continue
      rows[to++] = pixels[from + 1] ?? 0
      rows[to++] = pixels[from + 2] ?? 0
    }
  }
  return { info: createBitmapInfo(width, height, bytesPerPixel * 8), rows, width, height }
}

function inspectPixels(pixels: Uint8Array): { isWhite: boolean; isGray: boolean } {
  let isWhite = true
  for (let index = 0; index < pixels.length; index += 4) {
    const blue = pixels[index]
    if (blue !== pixels[index + 1] || blue !== pixels[index + 2]) return { isWhite: false, isGray: false }
    if (blue !== 255) isWhite = false
  }
  return { isWhite, isGray: true }
}

/** A BITMAPINFOHEADER, with the palette for a grey bitmap. */
function createBitmapInfo(width: number, height: number, bitsPerPixel: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(height, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bitsPerPixel, 14)
  return bitsPerPixel === 8 ? Buffer.concat([header, PALETTE]) : header
}
