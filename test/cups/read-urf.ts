/**
 * Pixels of the first page of Apple Raster ("UNIRAST"), which CUPS sends to raster printers: 8-bit grey, 0 is black.
 */

const FILE_HEADER_BYTES = 12
const PAGE_HEADER_BYTES = 32

export function readUrf(bytes: Buffer): { width: number; height: number; pixels: Buffer } {
  const header = bytes.subarray(FILE_HEADER_BYTES, FILE_HEADER_BYTES + PAGE_HEADER_BYTES)
  if (!bytes.toString('latin1').startsWith('UNIRAST') || header[0] !== 8)
    throw new Error('not a grey Apple Raster file')
  const [width, height] = [header.readUInt32BE(12), header.readUInt32BE(16)]
  const pixels = Buffer.alloc(width * height, 255)
  let at = FILE_HEADER_BYTES + PAGE_HEADER_BYTES
  const next = () => bytes.readUInt8(at++)
  for (let y = 0; y < height; ) {
    const repeats = next() + 1
    const line = Buffer.alloc(width, 255)
    for (let x = 0; x < width; ) {
      const code = next()
      // Blank to the end of the line, one pixel some times, or some pixels.
      const count = code === 128 ? width - x : code < 128 ? code + 1 : 257 - code
      if (code < 128) line.fill(next(), x, x + count)
      if (code > 128) line.set(bytes.subarray(at, at + count), x)
      if (code > 128) at += count
      x += count
    }
    for (let n = 0; n < repeats && y < height; n++) line.copy(pixels, y++ * width)
  }
  return { width, height, pixels }
}
