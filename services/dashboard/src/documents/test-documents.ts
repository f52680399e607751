/** Test documents by the language of the printer. */

import type { A4 } from '@platen/resources/test-documents/make-pdf.ts'
import type { TestSubject } from '@platen/resources/test-documents/subject.ts'
import { makeTestLabel } from '@platen/resources/test-documents/test-label.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import { makeTestReceipt } from '@platen/resources/test-documents/test-receipt.ts'
import type { Printer } from '../api/resources.ts'

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

/** A printer without papers has no driver: it prints only its own language, which labels and receipts share most often. */
export const detectDocument = ({ capabilities }: Pick<Printer, 'capabilities'>): TestDocument =>
  Object.keys(capabilities?.papers ?? {}).length > 0 ? 'pdf' : 'zpl'
