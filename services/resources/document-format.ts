/** The format of a document by its first bytes. Reference: docs/reference/print-jobs.md#content. */

/** As many bytes decide. */
export const FORMAT_START_BYTES = 12

export type DocumentFormat = 'pdf' | 'image' | 'raw'

/** PNG, JPEG, GIF, TIFF and BigTIFF. */
const IMAGES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*', 'II+\0', 'MM\0+']

/** @param start the first `FORMAT_START_BYTES` bytes, or all of a shorter document. */
export function detectFormat(start: Buffer): DocumentFormat {
  const text = start.toString('latin1', 0, FORMAT_START_BYTES)
  if (text.startsWith('%PDF-')) return 'pdf'
  const isWebp = text.startsWith('RIFF') && text.endsWith('WEBP')
  return isWebp || IMAGES.some((image) => text.startsWith(image)) ? 'image' : 'raw'
}
