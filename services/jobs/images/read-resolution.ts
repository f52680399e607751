/** The resolution that an image states itself, in both directions: fax pages have 204 x 98 dots per inch. Pure. */

/** In pixels per inch, as the pixels are stored. */
export interface Resolution {
  x: number
  y: number
}

const INCH = { ofMetre: 0.0254, ofCentimetre: 2.54 }

/** Decoders give 72 for an image that states none. @param page of a TIFF. @param exif as the decoder found it. */
export function readResolution(
  bytes: Buffer,
  { format, page, exif }: { format: string; page: number; exif: Buffer | undefined },
): Resolution | undefined {
  try {
    return toResolution(readOwn(bytes, format, page)) ?? (exif && toResolution(readExif(exif)))
  } catch (error) {
    // An offset beyond the end. The decoder decides whether the image is damaged.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** @returns undefined for a resolution that only gives the ratio of the sides. */
function readOwn(bytes: Buffer, format: string, page: number): Resolution | undefined {
  if (format === 'png') return readPng(bytes)
  if (format === 'jpeg') return readJpeg(bytes)
  return format === 'tiff' ? readTiff(bytes, page) : undefined
}

const toResolution = (found: Resolution | undefined) => (found && found.x > 0 && found.y > 0 ? found : undefined)

const scale = ({ x, y }: Resolution, factor: number): Resolution => ({
  x: toInches(x * factor),
  y: toInches(y * factor),
})

/** PNG has whole pixels per metre: 2835 are 72 dpi. */
function toInches(density: number): number {
  const rounded = Math.round(density)
  return Math.abs(density - rounded) <= INCH.ofMetre / 2 ? rounded : density
}

/** The chunk `pHYs` precedes the pixels. */
function readPng(bytes: Buffer): Resolution | undefined {
  const METRE = 1
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const [type, data] = [bytes.toString('latin1', at + 4, at + 8), at + 8]
    if (type === 'IDAT') return undefined
    if (type === 'pHYs' && bytes[data + 8] === METRE)
      return scale({ x: bytes.readUInt32BE(data), y: bytes.readUInt32BE(data + 4) }, INCH.ofMetre)
  }
  return undefined
}

/** The segment of JFIF. */
function readJpeg(bytes: Buffer): Resolution | undefined {
  const [APP0, SCAN] = [0xe0, 0xda]
  const FACTORS: Record<number, number> = { 1: 1, 2: INCH.ofCentimetre }
  for (let at = 2; bytes[at] === 0xff && bytes[at + 1] !== SCAN; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Markers can be preceded by any number of these.
    while (bytes[at + 1] === 0xff) at++
    if (bytes[at + 1] !== APP0 || bytes.toString('latin1', at + 4, at + 9) !== 'JFIF\0') continue
    const factor = FACTORS[bytes[at + 11] ?? 0]
    return factor === undefined
      ? undefined
      : scale({ x: bytes.readUInt16BE(at + 12), y: bytes.readUInt16BE(at + 14) }, factor)
  }
  return undefined
}

function readExif(exif: Buffer): Resolution | undefined {
  const prefix = 'Exif\0\0'
  return readTiff(exif.toString('latin1', 0, prefix.length) === prefix ? exif.subarray(prefix.length) : exif, 0)
}

/** The fields 282 and 283 of the directory of a page, in the unit of 296: inch if it is missing. */
function readTiff(tiff: Buffer, page: number): Resolution | undefined {
  const [X, Y, UNIT, RATIO, INCHES, CENTIMETRES] = [282, 283, 296, 5, 2, 3]
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const CLASSIC = 42
  if (read16(2) !== CLASSIC) return undefined
  let directory = read32(4)
  for (let at = 0; at < page; at++) directory = read32(directory + 2 + read16(directory) * 12)
  const found = new Map<number, number>()
  for (let entry = directory + 2; entry < directory + 2 + read16(directory) * 12; entry += 12) {
    const tag = read16(entry)
    if (tag === UNIT) found.set(tag, read16(entry + 8))
    if ((tag !== X && tag !== Y) || read16(entry + 2) !== RATIO) continue
    const value = read32(entry + 8)
    found.set(tag, read32(value) / read32(value + 4))
  }
  const [x, y, unit = INCHES] = [found.get(X), found.get(Y), found.get(UNIT)]
  if (x === undefined || y === undefined || (unit !== INCHES && unit !== CENTIMETRES)) return undefined
  return scale({ x, y }, unit === INCHES ? 1 : INCH.ofCentimetre)
}
