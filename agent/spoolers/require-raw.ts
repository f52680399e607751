import { SpoolerRefusal, type Submission } from './spooler.ts'

/**
 * For printers that get documents unchanged. A PDF would come out as garbage.
 *
 * @throws SpoolerRefusal for a document that is not raw data.
 */
export function requireRaw({ contentType }: Pick<Submission, 'contentType'>): void {
  if (contentType.startsWith('raw_')) return
  throw new SpoolerRefusal(
    'This printer has no driver and accepts only raw documents in its own language. Nothing was printed. Send raw content, or add the printer with a driver to the operating system to print PDFs.',
    ['document-format-not-supported'],
  )
}
