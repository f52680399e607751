/**
 * Creates a valid one-page PDF that shows `text`, with a correct cross-reference table, padded to an exact size if
 * requested.
 *
 * @param sizeBytes at least 1000.
 */
export function makePdf(text: string, sizeBytes = 0): Buffer {
  const smallest = assemble(text, 0)
  if (sizeBytes <= smallest.length) return smallest
  return assemble(text, sizeBytes - smallest.length)
}

/** Fixed width, so that each byte of padding adds one byte and every size is possible. */
const fixedWidth = (value: number) => String(value).padStart(10, '0')

function assemble(text: string, padding: number): Buffer {
  const content = `BT /F1 24 Tf 72 720 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${fixedWidth(padding)} >>\nstream\n${'x'.repeat(padding)}\nendstream`,
  ]
  let body = '%PDF-1.7\n'
  const offsets = objects.map((object, n) => {
    const offset = body.length
    body += `${n + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${fixedWidth(offset)} 00000 n \n`).join('')
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${fixedWidth(body.length)}\n%%EOF\n`
  return Buffer.from(body + xref + trailer, 'latin1')
}
