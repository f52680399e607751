/** Documents for a first print. */
import type { LocalDocument } from '../../api/new-job.ts'

export interface Sample extends LocalDocument {
  label: string
  title: string
  description: string
  /** The virtual printer of test mode that takes it. */
  printerName: string
}

const encoder = new TextEncoder()

const LETTER_LINES = [
  'Dear customer,',
  '',
  'your order 10482 left our warehouse this morning. It contains:',
  '',
  '    2 x Field notes, A6            9.80',
  '    1 x Brass ruler, 15 cm       14.50',
  '',
  'Thank you for your order.',
  '',
  'Corner shop',
]

const ZPL = `^XA
^PW812^LL1218
^CF0,60^FO50,60^FDCorner shop^FS
^CF0,30^FO50,140^FDOrder 10482^FS
^FO50,190^GB712,3,3^FS
^CF0,50^FO50,240^FDJane Doe^FS
^CF0,40^FO50,310^FD12 Harbour Street^FS
^FO50,360^FD20459 Hamburg^FS
^BY3,3,160^FO110,520^BCN,160,Y,N,N^FD00340434161094015902^FS
^XZ
`

const RECEIPT =
  '\x1b@\x1ba\x01\x1bE\x01Corner shop\x1bE\x00\n12 Harbour Street\n\n\x1ba\x00' +
  '2 x Field notes, A6         9.80\n1 x Brass ruler, 15 cm     14.50\n' +
  '--------------------------------\n\x1bE\x01Total                      24.30\x1bE\x00\n\n' +
  '\x1ba\x01Thank you\n\n\n\x1dV\x41\x03'

export const SAMPLES: Sample[] = [
  {
    label: 'Letter',
    title: 'Sample letter',
    description: 'A PDF on A4',
    printerName: 'Test A4 Laser',
    name: 'letter.pdf',
    bytes: makePdf('Your order is on its way', LETTER_LINES),
  },
  {
    label: 'Label',
    title: 'Sample label',
    description: 'ZPL for a 4x6 inch label',
    printerName: 'Test Label 4x6',
    name: 'label.zpl',
    bytes: encoder.encode(ZPL),
  },
  {
    label: 'Receipt',
    title: 'Sample receipt',
    description: 'ESC/POS for an 80 mm roll',
    printerName: 'Test Receipt 80mm',
    name: 'receipt.bin',
    bytes: encoder.encode(RECEIPT),
  },
]

/** One page of A4 in Helvetica. The texts are ASCII without brackets. */
function makePdf(heading: string, lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line}) Tj T*`).join('\n')
  const content = `BT /F1 22 Tf 72 740 Td (${heading}) Tj ET\n0.1 0.34 0.71 rg 72 722 451 2 re f 0 g\nBT /F1 12 Tf 20 TL 72 680 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(offset).padStart(10, '0')
  })
  const entries = offsets.map((offset) => `${offset} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return encoder.encode(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}${trailer}`)
}
