/**
 * Receives the body of `POST /v1/printjobs`, and decodes and hashes the document as it arrives. A small document is
 * kept for the call to jobs. A larger one is streamed to the file store and never held whole. Called by
 * `create-print-job.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { createContentScanner } from '../../request/content-scanner.ts'
import { isForm } from '../../request/json-body.ts'
import { readBody } from '../../request/read-body.ts'
import { createDocumentDecoder, type DocumentCheck } from './document-decoder.ts'
import { createFormReader, FORM_LIMIT_BYTES } from './read-form.ts'
import { createTextStart } from './text-start.ts'

/** The base64 of 25 MB is 33.4 MiB. The remainder is for escapes and the other fields. */
export const JSON_LIMIT_BYTES = 36 * 1024 * 1024

/** A URL of 2048 characters of four bytes each. */
export const TEXT_LIMIT_BYTES = 8 * 1024

const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)

/** The results of a body, after its end. */
interface ReadBody {
  /** `content` as text, for a URL; undefined if it is longer than any URL, empty if it is not UTF-8. */
  text(): string | undefined
  /**
   * The parsed body, not validated, with a stand-in for the document.
   *
   * @throws ApiError `invalid_request` if the body is not valid JSON or a field of a form is malformed.
   */
  fields(): unknown
  /** The name of `file`. Undefined without one. */
  fileTitle(): string | undefined
  checkedDocument: DocumentCheck['checked']
  /**
   * Raw data must be asked for or recognized.
   *
   * @throws ApiError `invalid_content` for a `file` whose format is neither sent nor recognized.
   */
  requireFormat(): void
}

/** Reads a body of one media type. */
export interface BodyReader extends ReadBody {
  /** @returns the next bytes of the document. @throws ApiError */
  push(chunk: Buffer): Buffer | Promise<Buffer>
  /** @returns the last bytes of the document. @throws ApiError */
  end(): Buffer | Promise<Buffer>
}

export interface ReceivedPrintJob extends ReadBody {
  /** Whether the document is in the file store, under the id of the new job. */
  isStored: boolean
  /** The document, if it is not stored. */
  content: Buffer
}

/**
 * A failure leaves nothing in the file store. After a success the caller must delete a stored document that no job has.
 *
 * @param jobId the name in the file store of a document that is larger than `inlineDocumentBytes`.
 * @param onContent receives the text of `content` as it arrives, without escapes and line breaks. For a `file` it is
 *   the base64 of it.
 * @throws ApiError `invalid_request`, `content_too_large`, `storage_unavailable`; `invalid_content` or
 *   `invalid_content_url` if much of the body follows the error.
 */
export async function receivePrintJob(
  jobId: string,
  request: { req: IncomingMessage; res: ServerResponse },
  { fileStore, inlineDocumentBytes }: { fileStore: FileStore; inlineDocumentBytes: number },
  onContent?: (text: Buffer) => void,
): Promise<ReceivedPrintJob> {
  const { reader, decoded } = openBody(request, { form: FORM_LIMIT_BYTES, json: JSON_LIMIT_BYTES }, onContent)
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
  const { text, fileTitle, checkedDocument, requireFormat } = reader
  const fields = () => withTitle(reader.fields(), fileTitle())
  return { isStored, content: Buffer.concat(pieces), text, fields, fileTitle, checkedDocument, requireFormat }
}

/** A job without a title has the name of its file: docs/reference/print-jobs.md#create.form.title. */
function withTitle(fields: unknown, title: string | undefined): unknown {
  const isMissing = title !== undefined && typeof fields === 'object' && fields !== null && !('title' in fields)
  return isMissing ? { ...fields, title } : fields
}

/**
 * Receives a body with a document that is held whole, in the forms of a print job.
 *
 * @throws ApiError `invalid_request`, `invalid_content`, `content_too_large`.
 */
export async function receiveDocument(
  request: { req: IncomingMessage; res: ServerResponse },
  maxBytes: number,
): Promise<Omit<ReceivedPrintJob, 'isStored' | 'requireFormat' | 'fileTitle'>> {
  const limits = { form: maxBytes + BODY_MAX_BYTES, json: Math.ceil(maxBytes / 3) * 4 + BODY_MAX_BYTES }
  const { reader, decoded } = openBody(request, limits)
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const bytes of decoded()) {
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw new ApiError('content_too_large', `The document is larger than ${maxBytes} bytes.`)
    pieces.push(Buffer.from(bytes))
  }
  const { text, fields, checkedDocument } = reader
  return { content: Buffer.concat(pieces), text, fields, checkedDocument }
}

/** @param limits of the whole body in bytes, by its form. */
function openBody(
  request: { req: IncomingMessage; res: ServerResponse },
  limits: { form: number; json: number },
  onContent?: (text: Buffer) => void,
) {
  const asForm = isForm(request.req.headers)
  const reader = asForm ? createFormReader(request.req.headers, onContent) : createJsonReader(onContent)

  async function* decoded(): AsyncGenerator<Buffer> {
    for await (const chunk of readBody(request, asForm ? limits.form : limits.json)) {
      const bytes = await reader.push(chunk)
      if (bytes.length > 0) yield bytes
    }
    const last = await reader.end()
    if (last.length > 0) yield last
  }

  return { reader, decoded }
}

function createJsonReader(onContent?: (text: Buffer) => void): BodyReader {
  const scanner = createContentScanner()
  const document = createDocumentDecoder()
  const start = createTextStart(TEXT_LIMIT_BYTES)
  return {
    push(chunk) {
      const text = scanner.push(chunk)
      start.push(text)
      const joined = withoutLineBreaks(text)
      onContent?.(joined)
      return document.push(joined)
    },
    end: () => NOTHING,
    text: start.whole,
    fields: scanner.end,
    fileTitle: () => undefined,
    checkedDocument: document.checked,
    // The body has the content type, which is checked with the other fields.
    requireFormat: () => undefined,
  }
}

/** Encoders after RFC 2045 break base64 into lines. */
export function withoutLineBreaks(text: Buffer): Buffer {
  if (!text.includes(LF) && !text.includes(CR)) return text
  return Buffer.from(text.toString('latin1').replaceAll(/[\r\n]+/g, ''), 'latin1')
}

export async function* inOrder(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}
