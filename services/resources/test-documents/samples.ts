/** Documents for a first print, as texts whose characters are the bytes. */
import { makePdf } from './make-pdf.ts'

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

/** A PDF for A4. */
export const SAMPLE_LETTER = makeLetter('Your order is on its way', LETTER_LINES)

/** ZPL for a label of 4 x 6 inches at 203 dpi. */
export const SAMPLE_LABEL = `^XA
^PW812^LL1218
^CF0,60^FO50,60^FDCorner shop^FS
^CF0,30^FO50,140^FDOrder 10482^FS
^FO50,190^GB712,3,3^FS
^CF0,50^FO50,240^FDJane Doe^FS
^CF0,40^FO50,310^FD12 Harbour Street^FS
^FO50,360^FD20459 Hamburg^FS
^BY4,3,200^FO120,520^BCN,200,Y,N,N^FD>;00340434161094015902^FS
^XZ
`

/** Columns of font A on 80 mm. */
const COLUMNS = 48

const toRow = (name: string, price: string) => `${name}${price.padStart(COLUMNS - name.length)}\n`

/** ESC/POS for a roll of 80 mm. */
export const SAMPLE_RECEIPT =
  '\x1b@\x1ba\x01\x1bE\x01Corner shop\x1bE\x00\n12 Harbour Street\n\n\x1ba\x00' +
  `${toRow('2 x Field notes, A6', '9.80')}${toRow('1 x Brass ruler, 15 cm', '14.50')}` +
  `${'-'.repeat(COLUMNS)}\n\x1bE\x01${toRow('Total', '24.30')}\x1bE\x00\n` +
  '\x1ba\x01Thank you\n\n\n\x1dV\x41\x03'

/** The texts are ASCII without brackets. */
function makeLetter(heading: string, lines: string[]): string {
  const shown = lines.map((line) => `(${line}) Tj T*`).join('\n')
  const content = `BT /F1 22 Tf 72 740 Td (${heading}) Tj ET\n0.1 0.34 0.71 rg 72 722 451 2 re f 0 g\nBT /F1 12 Tf 20 TL 72 680 Td\n${shown}\nET`
  return makePdf(content)
}
