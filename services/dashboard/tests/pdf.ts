/**
 * Creates a PDF.
 *
 * @param pages the content of each one.
 * @param forms by name, the contents of forms that pages and forms can draw.
 */
export function makePages(pages: string[], forms: Record<string, string> = {}): Buffer {
  const names = Object.keys(forms)
  // 1 and 2: catalogue and tree, then the font, the forms, and two objects for each page.
  const formAt = (name: string) => 4 + names.indexOf(name)
  const pageAt = (index: number) => 4 + names.length + 2 * index
  const resources = `<< /Font << /F1 3 0 R >> /XObject << ${names.map((name) => `/${name} ${formAt(name)} 0 R`).join(' ')} >> >>`
  const stream = (content: string, dictionary = '') =>
    `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${pageAt(index)} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...names.map((name) =>
      stream(forms[name] ?? '', `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${resources}`),
    ),
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${pageAt(index) + 1} 0 R /Resources ${resources} >>`,
      stream(content),
    ]),
  ]
  let body = '%PDF-1.7\n'
  const entries = objects.map((object, index) => {
    const offset = String(body.length).padStart(10, '0')
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${offset} 00000 n \n`
  })
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}${trailer}`,
    'latin1',
  )
}

/** Its page draws a form 10 ** 12 times. */
export function makeEndlessPdf(): Buffer {
  const levels = Array.from({ length: 12 }, (_, level) => [`L${level}`, `/L${level + 1} Do\n`.repeat(10)])
  const forms = Object.fromEntries([...levels, ['L12', '0 0 m 500 800 l S\n']])
  return makePages(['/L0 Do'], forms)
}
