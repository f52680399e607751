import { makePdf } from '../../ui/make-pdf.ts'

/** @returns one page with one line of text, as a PDF in base64. */
export function makeTestPage(text: string): string {
  const line = text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, (special) => `\\${special}`)
  return btoa(makePdf(`BT /F1 24 Tf 72 720 Td (Platen) Tj 0 -36 Td /F1 12 Tf (${line}) Tj ET`))
}
