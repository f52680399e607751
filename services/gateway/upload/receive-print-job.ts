/**
 * Takes in the body of `POST /v1/printjobs`: the document is decoded and hashed as it comes. A small one is kept for the call to jobs; a
 * larger one goes to the file store on the way and is never held whole. Called by `create-print-job.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { createContentScanner } from '../request/content-scanner.ts'
import { readBody } from '../request/read-body.ts'
import { createDocumentDecoder, type DocumentDecoder } from './document-decoder.ts'
import { createTextStart } from './text-start.ts'

/** The base64 of 25 MB is 33.4 MiB; the rest is for its escapes and the other fields. */
export const BODY_LIMIT_BYTES = 36 * 1024 * 1024

/** A URL of 2048 characters of four bytes each. */
const TEXT_LIMIT_BYTES = 8 * 1024

export interface ReceivedPrintJob {
  /** It is in the file store, under the id of the job to be created. */
  isStored: boolean
  /** The document, when it is not. */
  content: Buffer
  /** `content` as it came, where a URL may be meant; undefined when it is longer than any, or no UTF-8. */
  text(): string | undefined
  /**
   * The parsed body, not judged yet, with a stand-in for the document.
   *
   * @throws ApiError `invalid_request` when the body is no valid JSON.
   */
  fields(): unknown
  checkedDocument: DocumentDecoder['checked']
}

/**
 * When this fails nothing is in the store; from then on it is the caller who must delete what he has no use for.
 *
 * @param jobId under which a document is stored that is larger than `inlineDocumentBytes`.
 * @param onContent is given the text of `content` as it comes, without its escapes.
 * @throws ApiError `invalid_request`, `content_too_large`, `storage_unavailable`; `invalid_content` when much is left to read
 *   behind the fault.
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
    // A copy: the piece is a view of a chunk of the body.
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
