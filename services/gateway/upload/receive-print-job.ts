/**
 * Receives the body of `POST /v1/printjobs`, and decodes and hashes the document as it arrives. A small document is kept for the call to
 * jobs. A larger one is streamed to the file store and never held whole. Called by `create-print-job.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { createContentScanner } from '../request/content-scanner.ts'
import { readBody } from '../request/read-body.ts'
import { createDocumentDecoder, type DocumentDecoder } from './document-decoder.ts'
import { createTextStart } from './text-start.ts'

/** The base64 of 25 MB is 33.4 MiB. The remainder is for escapes and the other fields. */
export const BODY_LIMIT_BYTES = 36 * 1024 * 1024

/** A URL of 2048 characters of four bytes each. */
const TEXT_LIMIT_BYTES = 8 * 1024

export interface ReceivedPrintJob {
  /** Whether the document is in the file store, under the id of the new job. */
  isStored: boolean
  /** The document, if it is not stored. */
  content: Buffer
  /** `content` as text, for a URL; undefined if it is longer than any URL, empty if it is not UTF-8. */
  text(): string | undefined
  /**
   * The parsed body, not validated, with a stand-in for the document.
   *
   * @throws ApiError `invalid_request` if the body is not valid JSON.
   */
  fields(): unknown
  checkedDocument: DocumentDecoder['checked']
}

/**
 * A failure leaves nothing in the file store. After a success the caller must delete a stored document that no job has.
 *
 * @param jobId the name in the file store of a document that is larger than `inlineDocumentBytes`.
 * @param onContent receives the text of `content` as it arrives, without escapes.
 * @throws ApiError `invalid_request`, `content_too_large`, `storage_unavailable`; `invalid_content` or `invalid_content_url` if
 *   much of the body follows the error.
 */
export async function receivePrintJob(
  jobId: string,
  request: { req: IncomingMessage; res: ServerResponse },
  { fileStore, inlineDocumentBytes }: { fileStore: FileStore; inlineDocumentBytes: number },
  onContent?: (text: Buffer) => void,
): Promise<ReceivedPrintJob> {
  const scanner = createContentScanner()
  const document = createDocumentDecoder()
  const start = createTextStart(TEXT_LIMIT_BYTES)

  async function* decoded(): AsyncGenerator<Buffer> {
    for await (const chunk of readBody(request, BODY_LIMIT_BYTES)) {
      const text = scanner.push(chunk)
      onContent?.(text)
      start.push(text)
      const bytes = document.push(text)
      if (bytes.length > 0) yield bytes
    }
  }

  const bytes = decoded()
  const pieces: Buffer[] = []
  let sizeBytes = 0
  let next = await bytes.next()
  for (; !next.done && sizeBytes + next.value.length <= inlineDocumentBytes; next = await bytes.next()) {
    sizeBytes += next.value.length
    // A copy, because the piece is a view of a chunk of the body.
    pieces.push(Buffer.from(next.value))
  }
  const isStored = !next.done
  if (!next.done) await fileStore.write(jobId, inOrder([...pieces.splice(0), next.value], bytes))
  return {
    isStored,
    content: Buffer.concat(pieces),
    text: start.whole,
    fields: scanner.end,
    checkedDocument: document.checked,
  }
}

async function* inOrder(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}
