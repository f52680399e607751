/**
 * A PNG as an image of pdfkit. A PDF can contain the compressed rows of a PNG as they are. pdfkit does the same, but
 * collects them byte by byte, which needs ten times the memory and seconds for a large image.
 */
import { createPdfImage } from './pdf-image.ts'

const SIGNATURE_BYTES = 8
const TYPE_BYTES = 4
const COLOURS = { gray: 0, rgb: 2, palette: 3 } as const

/** @param png decoded before, without alpha and interlacing. @param label unique in the document. */
export function createPngImage(png: Buffer, label: string) {
  const header = readChunks(png, 'IHDR')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits, colour] = [header[8] ?? 0, header[9]]
  const parameters = { Predictor: 15, Colors: colour === COLOURS.rgb ? 3 : 1, BitsPerComponent: bits, Columns: width }
  return createPdfImage({
    ...{ label, width, height, data: readChunks(png, 'IDAT') },
    getEntries: (pdf) => ({
      BitsPerComponent: bits,
      ColorSpace: colour === COLOURS.palette ? toIndexed(pdf, readChunks(png, 'PLTE')) : toSpace(colour),
      Filter: 'FlateDecode',
      DecodeParms: parameters,
    }),
  })
}

const toSpace = (colour: number | undefined) => (colour === COLOURS.rgb ? 'DeviceRGB' : 'DeviceGray')

function toIndexed(pdf: PDFKit.PDFDocument, palette: Buffer) {
  const colours = pdf.ref({})
  colours.end(palette)
  return ['Indexed', 'DeviceRGB', palette.length / 3 - 1, colours]
}

/** @returns the data of all chunks of the type. */
function readChunks(png: Buffer, type: string): Buffer {
  const found: Buffer[] = []
  for (let at = SIGNATURE_BYTES; at + 2 * TYPE_BYTES <= png.length; ) {
    const length = png.readUInt32BE(at)
    const data = at + 2 * TYPE_BYTES
    if (png.toString('latin1', at + TYPE_BYTES, data) === type) found.push(png.subarray(data, data + length))
    // The data are followed by a checksum of four bytes.
    at = data + length + 4
  }
  return Buffer.concat(found)
}
