/** Test documents by the language of the printer. Each names the printer, so that the owner recognizes the paper. */
import { type ReportedFormats, takesFormat } from '../takes-format.ts'
import type { A4 } from './make-pdf.ts'
import type { TestSubject } from './subject.ts'
import { makeTestLabel } from './test-label.ts'
import { makeTestPage } from './test-page.ts'
import { makeTestReceipt } from './test-receipt.ts'

interface TestDocumentKind {
  label: string
  contentType: 'pdf_base64' | 'raw_base64'
  /** @returns a text whose characters are the bytes. */
  make(subject: TestSubject, size?: typeof A4): string
}

export const TEST_DOCUMENTS = {
  pdf: { label: 'PDF page with rulers', contentType: 'pdf_base64', make: makeTestPage },
  zpl: { label: 'Label (ZPL)', contentType: 'raw_base64', make: makeTestLabel },
  escpos: { label: 'Receipt (ESC/POS)', contentType: 'raw_base64', make: makeTestReceipt },
} as const satisfies Record<string, TestDocumentKind>

export type TestDocument = keyof typeof TEST_DOCUMENTS

/** A printer of the API. */
interface TestedPrinter {
  id: string
  number: number
  displayName: string
}

/** @param origin of the dashboard, whose page of the printer the QR code names. */
export const toTestSubject = ({ id, number, displayName }: TestedPrinter, origin: string): TestSubject => ({
  heading: 'Platen test',
  printer: displayName,
  printerNumber: number,
  at: new Date(),
  link: `${origin}/app/go/${id}`,
})

/** The width of a roll of a receipt printer, in tenths of a millimetre. */
const RECEIPT_WIDTH_MAX = 800

interface PrinterLanguage {
  capabilities?: (ReportedFormats & { papers: Record<string, (number | null)[]> }) | null | undefined
}

/**
 * A printer that takes no PDF prints only its own language: most often that of labels, or that of receipts if it has a
 * narrow roll.
 */
export function detectDocument({ capabilities }: PrinterLanguage): TestDocument {
  if (!capabilities) return 'zpl'
  if (takesFormat(capabilities, 'pdf')) return 'pdf'
  const [[width, height] = []] = Object.values(capabilities.papers)
  return width && height === null && width <= RECEIPT_WIDTH_MAX ? 'escpos' : 'zpl'
}
