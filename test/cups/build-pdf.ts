/** Sizes are in points. The content `1 0 0 rg 0 0 100 50 re f` paints red into the lower left corner. */
export interface TestPage {
  width: number
  height: number
  content: string
  rotate?: number
  /** Left, bottom, right and top of the part that is shown. */
  crop?: [number, number, number, number]
  userUnit?: number
}

/** In points; also the distance of the mark from both edges. */
const MARK = 40

/** Each page (A4 by default) has a black square in its upper left corner. */
export function buildPdf({ pages = 1, width = 595, height = 842 } = {}): Buffer {
  const content = `0 g ${MARK} ${height - 2 * MARK} ${MARK} ${MARK} re f`
  return makePages(Array.from({ length: pages }, () => ({ width, height, content })))
}

export function makePages(pages: TestPage[]): Buffer {
  const kids = pages.map((_, index) => `${3 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap(({ width, height, content, rotate = 0, crop = [0, 0, width, height], userUnit = 1 }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /CropBox [${crop.join(' ')}] /UserUnit ${userUnit} ` +
        `/Rotate ${rotate} /Contents ${4 + index * 2} 0 R >>`,
      toStream(content),
    ]),
  ]
  return writePdf(objects)
}

/** @param objects numbered from 1; the first one is the catalog. @param trailer further entries. */
export function writePdf(objects: string[], trailer = '', header = '%PDF-1.4'): Buffer {
  let pdf = `${header}\n`
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(`${pdf}${xref}${end}`, 'latin1')
}

/** @param encoding the names of the glyphs from code 192 on. */
export const toFont = (subtype: string, name: string, encoding: string, more = '') =>
  `<< /Type /Font /Subtype /${subtype} /BaseFont /${name} ${more} /Encoding << /Type /Encoding ` +
  `/BaseEncoding /WinAnsiEncoding /Differences [192 ${encoding}] >> >>`

export const toStream = (content: string, entries = '') =>
  `<< /Length ${content.length} ${entries}>>\nstream\n${content}\nendstream`
