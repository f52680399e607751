import { detectDocument } from '@platen/resources/test-documents/test-documents.ts'
import type { Printer } from '../../../api/gen/schema.ts'

/** The default of the computer, otherwise a printer that is online and takes PDFs. */
export function choosePrinter(printers: Printer[]): Printer | undefined {
  return (
    printers.find(({ isDefault }) => isDefault) ??
    printers.find((printer) => printer.state === 'online' && detectDocument(printer) === 'pdf') ??
    printers[0]
  )
}
