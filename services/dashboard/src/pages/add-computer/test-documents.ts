import type { Printer } from '../../api/gen/schema.ts'
import { makePdf } from '../../ui/make-pdf.ts'

const toAscii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')

/** Test documents by the language of the printer. Each names the printer, so that the owner recognizes the paper. */
export const TEST_DOCUMENTS = {
  pdf: {
    label: 'PDF page',
    contentType: 'pdf_base64',
    make: (name: string) => {
      const line = toAscii(name).replaceAll(/[\\()]/g, (special) => `\\${special}`)
      return makePdf(`BT /F1 24 Tf 72 720 Td (Platen) Tj 0 -36 Td /F1 12 Tf (Test page for ${line}) Tj ET`)
    },
  },
  zpl: {
    label: 'Label (ZPL)',
    contentType: 'raw_base64',
    make: (name: string) =>
      `^XA^CF0,60^FO50,50^FDPlaten^FS^CF0,30^FO50,130^FDTest label for ${toAscii(name).replaceAll(/[\^~]/g, '?')}^FS^XZ\n`,
  },
  escpos: {
    label: 'Receipt (ESC/POS)',
    contentType: 'raw_base64',
    make: (name: string) => `\x1b@Platen\nTest receipt for ${toAscii(name)}\n\n\n\n\x1dV\x41\x03`,
  },
} as const

export type TestDocument = keyof typeof TEST_DOCUMENTS

/** A printer without papers has no driver: it prints only its own language, which labels and receipts share most often. */
export const detectDocument = (printer: Printer): TestDocument =>
  Object.keys(printer.capabilities?.papers ?? {}).length > 0 ? 'pdf' : 'zpl'

/** The default of the computer, otherwise a printer that is online and takes PDFs. */
export function choosePrinter(printers: Printer[]): Printer | undefined {
  return (
    printers.find(({ isDefault }) => isDefault) ??
    printers.find((printer) => printer.state === 'online' && detectDocument(printer) === 'pdf') ??
    printers[0]
  )
}
