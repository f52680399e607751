/** A small PDF of which tests can tell how it was turned and scaled: each page has a black square in its upper left corner. */
export interface PdfOptions {
  pages?: number
  /** In points, 1/72 inch; A4 unless it is said. */
  width?: number
  height?: number
}

/** In points; also how far it is from both edges. */
const MARK = 40

export function buildPdf({ pages = 1, width = 595, height = 842 }: PdfOptions = {}): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${numbers.map((page) => `${2 + page} 0 R`).join(' ')}] >>`,
    ...numbers.map(
      (page) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${2 + pages + page} 0 R >>`,
    ),
    ...numbers.map(() => {
      const drawn = `0 g ${MARK} ${height - 2 * MARK} ${MARK} ${MARK} re f`
      return `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`
    }),
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  return Buffer.from(
    `${pdf}${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`,
  )
}
