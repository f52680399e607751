/** Drawn pixels as Windows wants them: a BITMAPINFO and rows from the bottom, as small as the picture allows. Pure. */

export interface Bitmap {
  info: Buffer
  rows: Buffer
  width: number
  height: number
}

const HEADER_BYTES = 40
const GRAYS = 256

/** For each picture in gray: 256 entries of blue, green, red and nothing. */
const PALETTE = Buffer.alloc(GRAYS * 4)
for (let gray = 0; gray < GRAYS; gray++) PALETTE.writeUInt32LE(gray * 0x010101, gray * 4)

/**
 * A page of text is sent in a third of the bytes that colours take, and white parts are not sent at all: printers' queues keep what they
 * get as it is.
 *
 * @param pixels rows of BGRx from the top.
 * @returns undefined when there is nothing but white.
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
  return { info: bitmapInfo(width, height, bytesPerPixel * 8), rows, width, height }
}

function inspectPixels(pixels: Uint8Array): { isWhite: boolean; isGray: boolean } {
  let isWhite = true
  for (let at = 0; at < pixels.length; at += 4) {
    const blue = pixels[at]
    if (blue !== pixels[at + 1] || blue !== pixels[at + 2]) return { isWhite: false, isGray: false }
    if (blue !== 255) isWhite = false
  }
  return { isWhite, isGray: true }
}

/** BITMAPINFOHEADER, and the grays of a picture that has no more. */
function bitmapInfo(width: number, height: number, bitsPerPixel: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(height, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bitsPerPixel, 14)
  return bitsPerPixel === 8 ? Buffer.concat([header, PALETTE]) : header
}
