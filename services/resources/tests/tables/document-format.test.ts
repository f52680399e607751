import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { describeOther, FORMAT_START_BYTES, recognize } from '../../document-format.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Local headers of a ZIP archive, with their data. */
const zip = (...entries: [name: string, data?: string][]) =>
  entries.map(([name, data = '']) => `PK\x03\x04${'\0'.repeat(26)}${name}${data}`).join('')

test.each([
  ['%PDF-1.7', 'PDF', 'pdf'],
  ['\x89PNG\r\n\x1a\n', 'PNG', 'image'],
  ['\xff\xd8\xff\xe0', 'JPEG', 'image'],
  ['GIF89a', 'GIF', 'image'],
  ['II*\0', 'TIFF', 'image'],
  ['MM\0+', 'TIFF', 'image'],
  ['RIFF1234WEBPVP8 ', 'WebP', 'image'],
])('%j is %s, which is printed as %s', (text, name, format) => {
  expect(recognize(bytes(text))).toEqual({ name, format, advice: '' })
})

test.each([
  ['%!PS-Adobe-3.0', 'PostScript'],
  ['\x04%!PS', 'PostScript'],
  ['\x1b%-12345X@PJL ENTER LANGUAGE = POSTSCRIPT\n', 'PostScript'],
  ['@PJL SET COPIES=2\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7', 'PCL'],
  ['\x1b%-12345X@PJL ENTER LANGUAGE = PCL\n', 'PCL'],
  ['\x1bE\x1b&l0O', 'PCL'],
  ['^XA^FO50,50', 'ZPL'],
  ['\xef\xbb\xbf^xa', 'ZPL'],
  ['\n~DGR:LOGO', 'ZPL'],
  ['\x10CT~~CD,~CC^~CT~\r\n^XA', 'ZPL'],
  ['^Q25,3\r\n^W100', 'EZPL'],
  ['\nN\nA50,0,0,1', 'EPL'],
  ['EPL2\r\nq795\r\n', 'EPL'],
  ['I8,A,001\nq812\n', 'EPL'],
  ['SIZE 100 mm, 150 mm\r\n', 'TSPL'],
  ['CLS\r\nTEXT 10,10,"3"', 'TSPL'],
  ['BARCODE 10,10,"128",50', 'TSPL'],
  ['! 0 200 200 210 1\r\n', 'CPCL'],
  ['! U1 setvar "device.languages" "zpl"\r\n', 'CPCL'],
  ['\x1bA\x1bH0100', 'SBPL'],
  ['\x02\x1bA\x1bH', 'SBPL'],
  ['\x02L\rD11\r', 'DPL'],
  ['\x02\x1bC\x03', 'IPL'],
  ['{D0508,0760,0480|}', 'TPCL'],
  ['\x1b\x1da\x01', 'Star'],
  ['\x1b@Hello', 'ESC/POS'],
  ['\x1d!\x11', 'ESC/POS'],
  ['\0\0\0\x1b@', 'ESC/POS'],
  ['Corner shop\n2 coffees\n\x1dV\0', 'ESC/POS'],
])('%j is %s, which is printed as raw data', (text, name) => {
  proves('create.form.raw')
  expect(recognize(bytes(text))).toEqual({ name, format: 'raw', advice: '' })
})

test.each([
  ['a Word document', zip(['[Content_Types].xml', 'x'.repeat(400)], ['_rels/.rels'], ['word/document.xml'])],
  ['an Excel workbook', zip(['xl/workbook.xml'], ['[Content_Types].xml'])],
  ['a PowerPoint presentation', zip(['[Content_Types].xml'], ['ppt/presentation.xml'])],
  ['an Office document', zip(['[Content_Types].xml'])],
  ['an Office document (Word, Excel or PowerPoint)', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0'],
  ['an OpenDocument text', zip(['mimetypeapplication/vnd.oasis.opendocument.text'], ['content.xml'])],
  ['an OpenDocument spreadsheet', zip(['mimetypeapplication/vnd.oasis.opendocument.spreadsheet'])],
  ['a ZIP archive', zip(['invoice.pdf', '%PDF-1.7'])],
  ['a ZIP archive', `PK\x05\x06${'\0'.repeat(18)}`],
  ['a gzip archive', '\x1f\x8b\x08\0'],
  ['a HEIC image', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['an AVIF image', '\0\0\0\x1cftypavif\0\0\0\0'],
  ['an AVIF image', '\0\0\0\x1cftypmif1\0\0\0\0avifmiaf'],
  ['a BMP image', 'BM\x36\0\x0c\0\0\0\0\0'],
  ['a web page (HTML)', '\r\n<!-- a --><!-- b -->\n<!DOCTYPE html><p>^XA'],
  ['a web page (HTML)', '<html><body>\x1b@</body></html>'],
  ['a web page (HTML)', '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">'],
  ['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['an SVG image', '<?xml version="1.0"?><!-- a --><svg width="1">'],
  ['an RTF document', '{\\rtf1\\ansi'],
  ['XML', '\xef\xbb\xbf<?xml version="1.0"?><Invoice/>'],
  ['JSON', '{"label": "^XA^XZ"}'],
  ['JSON', '[{"error": "not found"}]'],
  ['JSON', '{}'],
  ['a PDF behind other bytes', '\n%PDF-1.7'],
  ['base64 text', Buffer.from('%PDF-1.7 and more than forty characters').toString('base64')],
  ['base64 text', 'data:application/pdf;base64,JVBERi0='],
  ['text in UTF-16', '\xff\xfe^\0X\0A\0'],
  ['plain text', 'Dear customer,\r\n\tthank you for your order.\r\n'],
  ['plain text', './document.pdf'],
  ['plain text', Buffer.from('Grüße').toString('latin1')],
  [undefined, '\0\x01\x02\x03'],
  [undefined, ''],
])('%s is not printed', (name, text) => {
  proves('create.form.other')
  const recognized = recognize(bytes(text))
  expect([recognized.name, recognized.format]).toEqual([name, undefined])
  expect(describeOther(recognized)).toMatch(
    name === undefined
      ? /^The format of this document is not known\. Save it as PDF$/
      : /^This is [^.]+\. (Save|Send|Make|Remove) /,
  )
})

test('only the first bytes decide', () => {
  const late = zip(['[Content_Types].xml', 'x'.repeat(FORMAT_START_BYTES - 90)], ['word/document.xml'])
  expect(recognize(bytes(late)).name).toBe('a Word document')
  expect(recognize(bytes(`${'x '.repeat(FORMAT_START_BYTES / 2)}\x1b@`)).name).toBe('plain text')
})

test('a document that is made to be slow is recognized at once', () => {
  const hostile = [
    '<!--a-->'.repeat(600),
    `${'A'.repeat(40)}${'\n'.repeat(FORMAT_START_BYTES)}!`,
    'PK\x03\x04'.repeat(2000),
    `<?xml>${' '.repeat(FORMAT_START_BYTES)}`,
    `@PJL${'LANGUAGE '.repeat(500)}`,
    `\x1b[${'1;'.repeat(FORMAT_START_BYTES)}`,
    `{A${'a,'.repeat(FORMAT_START_BYTES)}`,
  ]
  const startedAt = performance.now()
  for (const text of hostile) recognize(bytes(text))
  // Exponential patterns need hours, quadratic ones seconds.
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
