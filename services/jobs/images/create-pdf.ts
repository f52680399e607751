/** The PDF that a conversion writes, with a limit of its size. */
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import PdfDocument from 'pdfkit'
import { InvalidImage } from './invalid-image.ts'

/** `checkSize` throws an `InvalidImage`, as `whole` is rejected, if what is written exceeds the limit. */
export function createPdf() {
  const pdf = new PdfDocument({ autoFirstPage: false, font: '', info: { Producer: 'Platen', Creator: 'Platen' } })
  return { pdf, written: collect(pdf) }
}

function collect(pdf: PDFKit.PDFDocument) {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const checkSize = () => {
    if (sizeBytes > DOCUMENT_MAX_BYTES) throw new InvalidImage('image_pdf_too_large')
  }
  pdf.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    chunks.push(chunk)
  })
  const ended = new Promise<void>((resolve) => pdf.on('end', resolve))
  const whole = ended.then(() => {
    checkSize()
    return Buffer.concat(chunks)
  })
  return { checkSize, whole }
}
