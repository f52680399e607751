/** Test documents by the language of the printer. Each names the printer, so that the owner recognizes the paper. */
import { takesFormat } from '@platen/resources/takes-format.ts'
import type { A4 } from '@platen/resources/test-documents/make-pdf.ts'
import type { TestSubject } from '@platen/resources/test-documents/subject.ts'
import { makeTestLabel } from '@platen/resources/test-documents/test-label.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import { makeTestReceipt } from '@platen/resources/test-documents/test-receipt.ts'
import type { Printer } from '../../../api/resources.ts'

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

/** @param origin of the dashboard, whose page of the printer the QR code names. */
export const toTestSubject = ({ id, number, displayName }: Printer, origin = location.origin): TestSubject => ({
  heading: 'Platen test',
  printer: displayName,
  printerNumber: number,
  at: new Date(),
  link: `${origin}/app/go/${id}`,
})

/** The width of a roll of a receipt printer, in tenths of a millimetre. */
const RECEIPT_WIDTH_MAX = 800

/** A printer that takes no PDF prints only its own language: most often that of labels, or that of receipts if it has a narrow roll. */
export function detectDocument({ capabilities }: Pick<Printer, 'capabilities'>): TestDocument {
  if (!capabilities) return 'zpl'
  if (takesFormat(capabilities, 'pdf')) return 'pdf'
  const [[width, height] = []] = Object.values(capabilities.papers)
  return width && height === null && width <= RECEIPT_WIDTH_MAX ? 'escpos' : 'zpl'
}
