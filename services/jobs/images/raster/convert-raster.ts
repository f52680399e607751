/**
 * Converts PWG raster and Apple raster to a PDF with an image for each page, of exactly its size. A page is compressed
 * row by row, without loss. One that stays large contains photos and becomes a JPEG.
 */
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate } from 'node:zlib'
import sharp from 'sharp'
import { createPdf } from '../create-pdf.ts'
import { InvalidImage } from '../invalid-image.ts'
import { limitSides } from '../lay-out-image.ts'
import { createPdfImage } from '../pdf-image.ts'
import { decodeRows, type Reader } from './decode-rows.ts'
import { HEADER_FORMATS, type RasterFormat, type RasterPage } from './page-header.ts'

const POINTS_PER_INCH = 72

/** From this size on, a page becomes a JPEG, which is a tenth of it. */
const LOSSLESS_MAX_BYTES = 1_000_000
const JPEG = { quality: 90, chromaSubsampling: '4:4:4' }

/** Rows are given to the compression in pieces of at least this size. */
const PIECE_BYTES = 256 * 1024

/** @throws InvalidImage */
export async function convertRaster(bytes: Buffer, format: RasterFormat): Promise<Buffer> {
  const { fileBytes, pageBytes, read } = HEADER_FORMATS[format]
  const { pdf, written } = createPdf()
  const reader = { bytes, at: fileBytes }
  for (let number = 0; number === 0 || reader.at < bytes.length; number++) {
    if (reader.at + pageBytes > bytes.length) throw new InvalidImage('image_damaged')
    const page = read(new DataView(bytes.buffer, bytes.byteOffset + reader.at, pageBytes))
    reader.at += pageBytes
    addPage(pdf, page, { ...(await encode(reader, page)), label: `P${number}` })
    written.checkSize()
  }
  pdf.end()
  return await written.whole
}

type Encoded = { data: Buffer; filter: 'FlateDecode' | 'DCTDecode' }

async function encode(reader: Reader, page: RasterPage): Promise<Encoded> {
  const again = { ...reader }
  const data = await buffer(pipeline(collectRows(reader, page), createDeflate(), () => undefined))
  if (page.colours === 'black' || data.length <= LOSSLESS_MAX_BYTES) return { data, filter: 'FlateDecode' }
  const pixels = Buffer.concat([...collectRows(again, page)])
  const raw = { width: page.width, height: page.height, channels: page.colours === 'rgb' ? 3 : 1 } as const
  const space = page.colours === 'rgb' ? 'srgb' : 'b-w'
  return { data: await sharp(pixels, { raw }).toColourspace(space).jpeg(JPEG).toBuffer(), filter: 'DCTDecode' }
}

function* collectRows(reader: Reader, page: RasterPage): Generator<Buffer> {
  let piece = Buffer.alloc(0)
  const rowsPerPiece = Math.ceil(PIECE_BYTES / page.bytesPerRow)
  let filled = 0
  for (const { row, count } of decodeRows(reader, page))
    for (let n = 0; n < count; n++) {
      if (filled === 0) piece = Buffer.alloc(rowsPerPiece * page.bytesPerRow)
      filled += row.copy(piece, filled)
      if (filled < piece.length) continue
      yield piece
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}

function addPage(pdf: PDFKit.PDFDocument, page: RasterPage, image: Encoded & { label: string }): void {
  const { width, height, dpi, mirrored } = page
  const { page: size } = limitSides({
    width: (width / dpi.x) * POINTS_PER_INCH,
    height: (height / dpi.y) * POINTS_PER_INCH,
  })
  pdf.addPage({ size: [size.width, size.height], margin: 0 })
  if (mirrored.across) pdf.transform(-1, 0, 0, 1, size.width, 0)
  if (mirrored.down) pdf.transform(1, 0, 0, -1, 0, size.height)
  // The types omit images that are opened already.
  pdf.image(toPdfImage(page, image) as unknown as PDFKit.Mixins.ImageSrc, 0, 0, size)
}

const toPdfImage = ({ width, height, colours }: RasterPage, { filter, ...image }: Encoded & { label: string }) =>
  createPdfImage({
    ...{ ...image, width, height },
    getEntries: () => ({
      BitsPerComponent: colours === 'black' ? 1 : 8,
      ColorSpace: colours === 'rgb' ? 'DeviceRGB' : 'DeviceGray',
      ...(colours === 'black' && { Decode: [1, 0] }),
      Filter: filter,
    }),
  })
