/** Test documents by the language of the printer. */

import type { A4 } from '@platen/resources/test-documents/make-pdf.ts'
import type { TestSubject } from '@platen/resources/test-documents/subject.ts'
import { makeTestLabel } from '@platen/resources/test-documents/test-label.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import { makeTestReceipt } from '@platen/resources/test-documents/test-receipt.ts'
/** Test documents by the language of the printer. Each names the printer, so that the owner recognizes the paper. */
import { takesFormat } from '@platen/resources/takes-format.ts'
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
/** Of a roll of a receipt printer, in tenths of a millimetre. */
const RECEIPT_WIDTH_MAX = 800

/** A printer that takes no PDF prints only its own language: most often that of labels, or that of receipts if it has a narrow roll. */
export function detectDocument({ capabilities }: Pick<Printer, 'capabilities'>): TestDocument {
  if (!capabilities) return 'zpl'
  if (takesFormat(capabilities, 'pdf')) return 'pdf'
  const [[width, height] = []] = Object.values(capabilities.papers)
  return width && height === null && width <= RECEIPT_WIDTH_MAX ? 'escpos' : 'zpl'
}

/** The paper for a test page, in points: the default of the printer in Platen, A4 if the printer has it, or its first paper. */
export function findTestSize({ capabilities, customPapers, defaultOptions }: Printer): typeof A4 {
  const papers = new Map(Object.entries(capabilities?.papers ?? {}))
  for (const { name, width, height } of customPapers) papers.set(name, [width, height])
  const isA4 = ([width, height]: (number | null)[]) => width === 2100 && height === 2970
  const [width, height] =
    papers.get(defaultOptions.paper ?? '') ??
    [...papers.values()].toSorted((a, b) => Number(isA4(b)) - Number(isA4(a)))[0] ??
    []
  return width && height ? { width: (width / 10) * MM, height: (height / 10) * MM } : A4
}

/** Frames at 0, 5 and 10 mm from the edge show what the printer cuts off, and rulers of millimetres what it scales. */
function makePage(name: string, { width, height } = A4): string {
  const frames = [0, 5, 10].map((margin) => {
    const at = margin * MM
    return `${at} ${at} ${width - 2 * at} ${height - 2 * at} re S`
  })
  const ruler = (length: number, draw: (at: number, size: number) => string) =>
    Array.from({ length: Math.min(Math.floor(length / MM), MM_MAX) }, (_, mm) =>
      draw(mm * MM, (mm % 10 === 0 ? 4 : mm % 5 === 0 ? 2.5 : 1.5) * MM),
    )
  const horizontal = ruler(width, (at, size) => `${at} ${height} m ${at} ${height - size} l S`)
  const vertical = ruler(height, (at, size) => `0 ${height - at} m ${size} ${height - at} l S`)
  const size = `${Math.round(width / MM)} x ${Math.round(height / MM)} mm`
  const lines = [
    [16, 'Platen'],
    [11, `Test page for ${toPdfText(name)}`],
    [9, `Page ${size}. Frames at 0, 5 and 10 mm: those that are missing are outside of the printed area.`],
    [9, 'The marks of the rulers are 1 mm apart. If they are not, the page was scaled.'],
  ] as const
  const text = lines.map(([points, line], index) => {
    const [right, down] = index === 0 ? [14 * MM, height - 22 * MM] : [0, -8 * MM]
    return `/F1 ${points} Tf ${right.toFixed(2)} ${down.toFixed(2)} Td (${line}) Tj`
  })
  const drawn = [...frames, ...horizontal, ...vertical].join('\n').replaceAll(/\d+\.\d+/g, toFixed)
  return makePdf(`0.4 w\n${drawn}\nBT ${text.join(' ')} ET`, {
    width: Number(width.toFixed(2)),
    height: Number(height.toFixed(2)),
  })
}

const toFixed = (number: string) => Number(number).toFixed(2)
