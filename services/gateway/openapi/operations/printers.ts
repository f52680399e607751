/** Source: specification, "Printers"; decisions, "Computers and printers". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const PRINTER_OPERATIONS: Descriptions = {
  listPrinters: {
    tag: 'Printers',
    summary: 'List printers',
    description:
      'The printers of the organization and mode of the key, the newest first unless `dir` says otherwise. A test key sees the four virtual printers of test mode.',
    query: PAGE,
    success: { status: 200, description: 'A page of printers.', schema: 'PrinterPage' },
  },
  getPrinter: {
    tag: 'Printers',
    summary: 'Read a printer',
    description: 'The printer with its state, what it can do, and your settings for it.',
    success: { status: 200, description: 'The printer.', schema: 'Printer' },
  },
  updatePrinter: {
    tag: 'Printers',
    summary: 'Change a printer',
    description:
      'Changes the fields that are sent and leaves the others. `customPapers` and `defaultOptions` replace what was there. Jobs that were accepted before a printer is disabled wait until it is enabled again, or expire.',
    body: 'PrinterChanges',
    success: { status: 200, description: 'The changed printer.', schema: 'Printer' },
    errors: ['forbidden'],
  },
  listPrinterPrintJobs: {
    tag: 'Printers',
    summary: 'List the print jobs of a printer',
    description: 'The jobs that were sent to this printer, the newest first unless `dir` says otherwise.',
    query: PAGE,
    success: { status: 200, description: 'A page of jobs.', schema: 'PrintJobPage' },
  },
}
