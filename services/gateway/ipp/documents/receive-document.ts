/**
 * Receives the document of a print job: a small one is kept for the call to jobs, a larger one is streamed to the file
 * store.
 */
import type { Gateway } from '../../gateway.ts'
import { createDocumentCheck } from '../../print-jobs/upload/document-decoder.ts'
import type { ContentType } from '../../print-jobs/upload/print-job-request.ts'
import type { ReceivedPrintJob } from '../../print-jobs/upload/receive-print-job.ts'
import type { Offer } from '../offer.ts'
import { IppRefusal } from '../refusal.ts'
import { decompress } from './decompress.ts'
import { CONTENT_TYPES, type Compression } from './formats.ts'

export interface ReceivedDocument {
  received: ReceivedPrintJob
  contentType: ContentType
}

interface Expected {
  /** One that the printer takes. */
  format: string
  compression: Compression
}

/**
 * A failure leaves nothing in the file store. After a success the caller must delete a stored document that no job has.
 *
 * @param jobId the name of a stored document.
 * @throws IppRefusal for a document of another format, or without a byte; ApiError `content_too_large`,
 *   `request_timeout`, `storage_unavailable`.
 */
export async function receiveDocument(
  { fileStore, inlineDocumentBytes }: Pick<Gateway, 'fileStore' | 'inlineDocumentBytes'>,
  jobId: string,
  document: AsyncGenerator<Buffer>,
  { format, compression }: Expected,
  offer: Offer,
): Promise<ReceivedDocument> {
  const check = createDocumentCheck('file')
  const pieces: Buffer[] = []
  let sizeBytes = 0

  async function* checked(): AsyncGenerator<Buffer> {
    for await (const chunk of decompress(document, compression)) {
      check.push(chunk)
      if (chunk.length > 0) yield chunk
    }
  }

  const bytes = checked()
  let next = await bytes.next()
  for (; !next.done && sizeBytes + next.value.length <= inlineDocumentBytes; next = await bytes.next()) {
    sizeBytes += next.value.length
    // A copy, because the piece is a view of a chunk of the body.
    pieces.push(Buffer.from(next.value))
  }
  const isStored = !next.done
  if (!next.done) await fileStore.write(jobId, inOrder([...pieces.splice(0), next.value], bytes))
  if (!isStored && sizeBytes === 0) throw new IppRefusal('client-error-bad-request', 'The request has no document.')
  const received: ReceivedPrintJob = {
    isStored,
    content: Buffer.concat(pieces),
    text: () => undefined,
    fields: () => undefined,
    fileTitle: () => undefined,
    checkedDocument: check.checked,
    requireFormat: () => undefined,
  }
  try {
    return { received, contentType: toContentType(check.recognized(), format, offer) }
  } catch (error) {
    if (isStored) await fileStore.delete(jobId)
    throw error
  }
}

async function* inOrder(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}

/** The bytes decide, and must be what the computer has named. */
function toContentType(
  { name, format: kind }: { name: string | undefined; format: string | undefined },
  format: string,
  offer: Offer,
): ContentType {
  const named = CONTENT_TYPES[format]
  if (named) {
    if (named.name === name) return named.contentType
    throw new IppRefusal('client-error-document-format-error', `The document is no ${named.name}.`)
  }
  const [type, recognized] = Object.entries(CONTENT_TYPES).find(([, one]) => one.name === name) ?? []
  if (recognized && type && offer.formats.includes(type)) return recognized.contentType
  const takesRaw = offer.raw && kind !== 'pdf' && kind !== 'image'
  if (takesRaw && (kind === 'raw' || offer.formats.length === 1)) return 'raw_base64'
  throw new IppRefusal(
    'client-error-document-format-not-supported',
    `This printer does not take ${name ?? 'a document of this format'}. It takes ${offer.formats.join(', ')}.`,
  )
}
