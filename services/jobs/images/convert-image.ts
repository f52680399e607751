/**
 * Converts an image to a PDF. The bytes of usual JPEGs and PNGs are kept, other images are stored without loss. An
 * image is in memory as a whole only if its format requires it. Runs in a process of its own: `conversions.ts`.
 */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { createPdf } from './create-pdf.ts'
import { InvalidImage } from './invalid-image.ts'
import { layOutImage, PIXELS_MAX, type Sheets } from './lay-out-image.ts'
import { createPdfImage } from './pdf-image.ts'
import { readPlainJpeg } from './plain-jpeg.ts'
import { createPngImage } from './png-image.ts'
import { convertRaster } from './raster/convert-raster.ts'
import { recognizeRaster } from './raster/page-header.ts'
import { readResolution } from './read-resolution.ts'

/** Decoders of other formats are attack surface without a use. */
const LOADERS = ['Jpeg', 'Png', 'Tiff', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}`)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })
sharp.cache(false)
sharp.concurrency(1)

/** From this value of EXIF on, width and height are exchanged. */
const EXCHANGED_ORIENTATION = 5

/**
 * @param sheets have no effect on a raster, whose pages are sheets already.
 * @throws InvalidImage
 */
export async function convertImage(bytes: Buffer, sheets: Sheets): Promise<Buffer> {
  const raster = recognizeRaster(bytes)
  if (raster) return await convertRaster(bytes, raster)
  const { pages = 1, format } = await readMetadata(bytes, 0)
  const { pdf, written } = createPdf()
  // Other formats have frames of an animation.
  const count = format === 'tiff' ? pages : 1
  for (let page = 0; page < count; page++) {
    await addPage(pdf, bytes, page, sheets)
    written.checkSize()
  }
  pdf.end()
  return await written.whole
}

async function addPage(pdf: PDFKit.PDFDocument, bytes: Buffer, page: number, sheets: Sheets): Promise<void> {
  const metadata = await readMetadata(bytes, page)
  const { width, height, format, exif, orientation = 1 } = metadata
  const resolution = readResolution(bytes, { format, page, exif })
  const layout =
    orientation < EXCHANGED_ORIENTATION
      ? layOutImage({ width, height }, resolution, sheets)
      : layOutImage({ width: height, height: width }, resolution && { x: resolution.y, y: resolution.x }, sheets)
  const image = await encode(bytes, page, metadata)
  const [left, top] = [(layout.page.width - layout.image.width) / 2, (layout.page.height - layout.image.height) / 2]
  pdf.addPage({ size: [layout.page.width, layout.page.height], margin: 0 })
  // The types omit images that are opened already.
  pdf.image(image as PDFKit.Mixins.ImageSrc, left, top, layout.image)
}

/** @returns an image of pdfkit, or a JPEG that it reads itself. */
async function encode(bytes: Buffer, page: number, metadata: Metadata) {
  const image = open(bytes, page)
  const { orientation = 1 } = metadata
  const label = `P${page}`
  const jpeg = metadata.format === 'jpeg' ? readPlainJpeg(bytes, metadata) : undefined
  if (jpeg || isPlainPng(metadata)) {
    // Decodes all of it, so that a damaged image is not printed in part.
    await decoding(image.resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer())
    if (!jpeg) return { ...createPngImage(bytes, label), orientation }
    const isInverted = jpeg.components === 4 && !jpeg.isAdobe
    return isInverted ? { ...createFourColourImage(bytes, label, metadata), orientation } : bytes
  }
  const isGray = metadata.space === 'b-w' || metadata.space === 'grey16'
  const flat = image.flatten({ background: '#fff' }).toColourspace(isGray ? 'b-w' : 'srgb')
  return { ...createPngImage(await decoding(flat.png({ compressionLevel: 6 }).toBuffer()), label), orientation }
}

/** Programs that do not write the mark of Adobe do not invert four colours. pdfkit takes all of them for inverted. */
const createFourColourImage = (data: Buffer, label: string, { width, height }: Metadata) =>
  createPdfImage({
    ...{ label, width, height, data },
    getEntries: () => ({ BitsPerComponent: 8, ColorSpace: 'DeviceCMYK', Filter: 'DCTDecode' }),
  })

const isPlainPng = ({ format, depth, hasAlpha, isProgressive }: Metadata): boolean =>
  format === 'png' && depth === 'uchar' && !hasAlpha && !isProgressive

async function readMetadata(bytes: Buffer, page: number): Promise<Metadata> {
  const metadata = await decoding(open(bytes, page).metadata())
  if (metadata.width * metadata.height > PIXELS_MAX) throw new InvalidImage('image_pixels')
  return metadata
}

/** The limit of sharp itself has the same error as a damaged image. */
const open = (bytes: Buffer, page: number): Sharp =>
  sharp(bytes, { page, limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true })

async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit')
    throw new InvalidImage(isTooLarge ? 'image_pixels' : 'image_damaged', error)
  }
}
