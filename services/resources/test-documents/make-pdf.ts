/** Points. */
export const A4 = { width: 595, height: 842 }

/**
 * Creates a page with the font F1, Helvetica.
 *
 * @param content the operators of the page, in ASCII. Reference: ISO 32000-1, 8.2.
 * @param size in points.
 */
export function makePdf(content: string, { width, height } = A4): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.7\n'
  const entries = objects.map((object, index) => {
    const offset = String(file.length).padStart(10, '0')
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${offset} 00000 n \n`
  })
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}${trailer}`
}
