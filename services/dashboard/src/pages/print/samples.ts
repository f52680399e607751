/** Documents for a first print. */
import type { LocalDocument } from '../../api/new-job.ts'
import { makePdf } from '../../documents/make-pdf.ts'

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
    bytes: makeLetter('Your order is on its way', LETTER_LINES),
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

/** The texts are ASCII without brackets. */
function makeLetter(heading: string, lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line}) Tj T*`).join('\n')
  const content = `BT /F1 22 Tf 72 740 Td (${heading}) Tj ET\n0.1 0.34 0.71 rg 72 722 451 2 re f 0 g\nBT /F1 12 Tf 20 TL 72 680 Td\n${shown}\nET`
  return encoder.encode(makePdf(content))
}
