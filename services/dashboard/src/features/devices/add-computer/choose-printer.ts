import type { Printer } from '../../../api/gen/schema.ts'
import { detectDocument } from '../../print/documents/test-documents.ts'

/** The default of the computer, otherwise a printer that is online and takes PDFs. */
export function choosePrinter(printers: Printer[]): Printer | undefined {
  return (
    printers.find(({ isDefault }) => isDefault) ??
    printers.find((printer) => printer.state === 'online' && detectDocument(printer) === 'pdf') ??
    printers[0]
  )
}
