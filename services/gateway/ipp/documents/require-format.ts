import { keyword, mimeType } from '@platen/ipp/typed.ts'
import type { Offer } from '../offer.ts'
import { IppRefusal } from '../refusal.ts'
import type { OperationAttributes } from '../request.ts'
import { COMPRESSIONS, type Compression } from './formats.ts'

/**
 * @returns the media type of the document, by default one that its bytes decide.
 * @throws IppRefusal for one that is not offered.
 */
export function requireFormat(attributes: OperationAttributes, { formats }: Offer): string {
  const format = attributes.text('document-format')
  if (format === undefined) return 'application/octet-stream'
  const type = format.toLowerCase()
  if (formats.includes(type)) return type
  throw new IppRefusal(
    'client-error-document-format-not-supported',
    `This printer does not take ${type.slice(0, 80)}. It takes ${formats.join(', ')}.`,
    { 'document-format': mimeType(format.slice(0, 255)) },
  )
}

/** @throws IppRefusal */
export function requireCompression(attributes: OperationAttributes): Compression {
  const compression = attributes.text('compression') ?? 'none'
  const known = COMPRESSIONS.find((one) => one === compression)
  if (known) return known
  throw new IppRefusal(
    'client-error-compression-not-supported',
    `This printer supports the compressions ${COMPRESSIONS.join(', ')}.`,
    { compression: keyword(compression.slice(0, 255)) },
  )
}
