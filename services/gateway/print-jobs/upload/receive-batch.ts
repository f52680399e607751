/**
 * Receives the body of `POST /v1/printjobs/batches`, and decodes and hashes each document as it arrives. Small
 * documents are kept for the call to jobs, as many as fit into it. The others are streamed to the file store and never
 * held whole.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BATCH_LIMITS, DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { createContentScanner } from '../../request/content-scanner.ts'
import { readBody } from '../../request/read-body.ts'
import type { DeleteDocuments } from '../unused-documents.ts'
import { TOO_MANY_JOBS } from './batch-request.ts'
import type { ReceivedDocument } from './choose-document.ts'
import { createDocumentDecoder } from './document-decoder.ts'
import { inOrder, JSON_LIMIT_BYTES, TEXT_LIMIT_BYTES, withoutLineBreaks } from './receive-print-job.ts'
import { createTextStart } from './text-start.ts'

/** Documents and URLs in the call to jobs, which also has the fields and their options: at most 1 MiB. */
const INLINE_MAX_BYTES = 256 * 1024

/** Objects of an array in a member of the body. */
const DEPTH = 3

/** Ends the text of each document in the hash of the body. No valid document has it. */
const SEPARATOR = Buffer.of(0xff)

export interface ReceivedBatch {
  /**
   * The parsed body, not validated, with a stand-in for each document.
   *
   * @throws ApiError `invalid_request` if it is not valid JSON.
   */
  fields(): unknown
  /** The document of a job, by its place from 0. */
  document(n: number): ReceivedDocument
  /** Ids of the jobs whose documents are in the file store. */
  storedIds: string[]
}

interface Piece {
  n: number
  text: Buffer
  ended: boolean
}

/**
 * A failure leaves nothing in the file store. After a success the caller must delete the stored documents that no job
 * has.
 *
 * @param toId the id of a job, by its place from 0. Names its document in the file store.
 * @param onContent receives the texts of all documents.
 * @throws ApiError `invalid_request`, `content_too_large`, `storage_unavailable`, `invalid_content`,
 *   `invalid_content_url`.
 */
export async function receiveBatch(
  toId: (n: number) => string,
  request: { req: IncomingMessage; res: ServerResponse },
  {
    fileStore,
    inlineDocumentBytes,
    deleteDocuments,
  }: {
    fileStore: FileStore
    inlineDocumentBytes: number
    deleteDocuments: DeleteDocuments
  },
  onContent?: (text: Buffer) => void,
): Promise<ReceivedBatch> {
  const found: Piece[] = []
  const scanner = createContentScanner('content', {
    depth: DEPTH,
    maxBytes: BATCH_LIMITS.fieldsMaxBytes,
    onText(n, text, ended) {
      if (n >= BATCH_LIMITS.jobsMax)
        throw new ApiError('invalid_request', `\`jobs\`: ${TOO_MANY_JOBS}.`, { param: 'jobs' })
      found.push({ n, text, ended })
    },
  })
  async function* readPieces(): AsyncGenerator<Piece> {
    for await (const chunk of readBody(request, JSON_LIMIT_BYTES)) {
      scanner.push(chunk)
      yield* found.splice(0)
    }
  }

  const documents: ReceivedDocument[] = []
  const storedIds: string[] = []
  const pieces = readPieces()
  let [decodedBytes, inlineBytes] = [0, 0]
  const onDecoded = (bytes: number) => {
    decodedBytes += bytes
    if (decodedBytes > DOCUMENT_MAX_BYTES)
      throw new ApiError(
        'content_too_large',
        `The documents of the batch have more than ${DOCUMENT_MAX_BYTES} bytes together. Send them in several batches.`,
        { param: 'jobs' },
      )
  }
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      const { n } = next.value
      const inlineMaxBytes = Math.min(inlineDocumentBytes, INLINE_MAX_BYTES - inlineBytes)
      const store = async (content: AsyncIterable<Buffer>) => {
        await fileStore.write(toId(n), content)
        storedIds.push(toId(n))
      }
      const received = await receiveOne(next.value, pieces, { inlineMaxBytes, store, onDecoded, onContent })
      inlineBytes += received.content.length
      documents[n] = received
    }
  } catch (error) {
    await deleteDocuments(storedIds)
    throw error
  } finally {
    // Stops reading the body, also within a document.
    await pieces.return(undefined)
  }
  return { fields: scanner.end, document: (n) => documents[n] ?? NO_DOCUMENT, storedIds }
}

/** A reprint has none. The fields say whether a document is missing. */
const NO_DOCUMENT: ReceivedDocument = {
  isStored: false,
  content: Buffer.alloc(0),
  text: () => '',
  checkedDocument: createDocumentDecoder().checked,
  requireFormat: () => undefined,
}

/** Reads the document whose first piece is `first` to its end. */
async function receiveOne(
  first: Piece,
  pieces: AsyncGenerator<Piece>,
  {
    inlineMaxBytes,
    store,
    onDecoded,
    onContent,
  }: {
    inlineMaxBytes: number
    store(content: AsyncIterable<Buffer>): Promise<void>
    onDecoded(bytes: number): void
    onContent: ((text: Buffer) => void) | undefined
  },
): Promise<ReceivedDocument> {
  const decoder = createDocumentDecoder()
  const start = createTextStart(TEXT_LIMIT_BYTES)

  async function* decode(): AsyncGenerator<Buffer> {
    for (let piece: Piece | undefined = first; piece; piece = piece.ended ? undefined : await takeNext(pieces)) {
      start.push(piece.text)
      const joined = withoutLineBreaks(piece.text)
      onContent?.(joined)
      if (piece.ended) onContent?.(SEPARATOR)
      const bytes = decoder.push(joined)
      onDecoded(bytes.length)
      if (bytes.length > 0) yield bytes
    }
  }

  const bytes = decode()
  const kept: Buffer[] = []
  let sizeBytes = 0
  let next = await bytes.next()
  for (; !next.done && sizeBytes + next.value.length <= inlineMaxBytes; next = await bytes.next()) {
    sizeBytes += next.value.length
    // A copy, because the piece is a view of a chunk of the body.
    kept.push(Buffer.from(next.value))
  }
  const isStored = !next.done
  if (!next.done) await store(inOrder([...kept.splice(0), next.value], bytes))
  return {
    isStored,
    content: Buffer.concat(kept),
    text: start.whole,
    checkedDocument: decoder.checked,
    requireFormat: () => undefined,
  }
}

async function takeNext(pieces: AsyncGenerator<Piece>): Promise<Piece | undefined> {
  const next = await pieces.next()
  return next.done ? undefined : next.value
}
