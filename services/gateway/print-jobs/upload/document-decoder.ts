/**
 * Checks a document as its bytes arrive, and decodes that in the text of `content` of a JSON body. Used by
 * `receive-print-job.ts`.
 */
import { createHash } from 'node:crypto'
import {
  FORMAT_START_BYTES,
  matchesFormat,
  type RecognizedDocument,
  recognize,
} from '@platen/resources/document-format.ts'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createBase64Decoder } from './base64-decoder.ts'
import { urlTooLong } from './choose-document.ts'
import type { ContentType } from './print-job-request.ts'

/** How much text is read after an error in the document, because an error in another field is reported first. */
const READ_ON_LIMIT_BYTES = 64 * 1024
/** No base64 text begins like this. */
const URL_START = /^https?:/i
const URL_START_BYTES = 'https:'.length
const NOTHING = Buffer.alloc(0)

export interface DocumentCheck {
  /** @throws ApiError `content_too_large` as soon as the document is. */
  push(bytes: Buffer): void
  /** The format by the first bytes. */
  recognized(): RecognizedDocument
  /**
   * Called once, after the last bytes.
   *
   * @throws ApiError `invalid_content` if the document does not match `contentType` or is empty.
   */
  checked(contentType: ContentType): { sizeBytes: number; sha256: string }
}

/** @param param the field with the document. */
export function createDocumentCheck(param: 'content' | 'file'): DocumentCheck {
  const hash = createHash('sha256')
  let start = NOTHING
  let sizeBytes = 0
  return {
    push(bytes) {
      sizeBytes += bytes.length
      if (sizeBytes > DOCUMENT_MAX_BYTES)
        throw new ApiError('content_too_large', `The document is larger than ${DOCUMENT_MAX_BYTES} bytes.`, { param })
      hash.update(bytes)
      if (start.length < FORMAT_START_BYTES)
        start = Buffer.concat([start, bytes.subarray(0, FORMAT_START_BYTES - start.length)])
    },
    recognized: () => recognize(start),
    checked(contentType) {
      if (sizeBytes === 0) throw new ApiError('invalid_content', 'The document is empty.', { param })
      const fault = findFault(contentType, start)
      if (fault !== undefined) throw new ApiError('invalid_content', `The document is ${fault}`, { param })
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  }
}

const EXPECTED: Partial<Record<ContentType, { expected: 'pdf' | 'image'; fault: string }>> = {
  pdf_base64: { expected: 'pdf', fault: 'not a PDF: it does not start with `%PDF-`' },
  image_base64: { expected: 'image', fault: 'not an image: send a PNG, JPEG, GIF, TIFF or WebP' },
}

/** @returns what the document is instead. Undefined if it has the format of its type. */
function findFault(contentType: ContentType, start: Buffer): string | undefined {
  const { expected, fault } = EXPECTED[contentType] ?? {}
  const recognized = recognize(start)
  if (expected === undefined || matchesFormat(recognized, expected)) return undefined
  const { name } = recognized
  return `${fault}.${name === undefined ? '' : ` It looks like ${name}.`}`
}

export interface DocumentDecoder extends Pick<DocumentCheck, 'checked'> {
  /**
   * @returns the next bytes of the document; none after an error.
   * @throws ApiError `content_too_large` as soon as the document is; `invalid_content` if much text follows an error,
   *   or `invalid_content_url` if the text begins like a URL.
   */
  push(text: Buffer): Buffer
}

export function createDocumentDecoder(): DocumentDecoder {
  const decoder = createBase64Decoder()
  const document = createDocumentCheck('content')
  let textStart = ''
  let fault: unknown
  let readOnBytes = 0

  function readOn(text: Buffer): Buffer {
    readOnBytes += text.length
    if (readOnBytes > READ_ON_LIMIT_BYTES) throw URL_START.test(textStart) ? urlTooLong() : fault
    return NOTHING
  }

  function decode(text: Buffer): Buffer {
    try {
      return decoder.push(text)
    } catch (error) {
      fault = error
      return readOn(text)
    }
  }

  return {
    push(text) {
      if (textStart.length < URL_START_BYTES) textStart += text.toString('latin1', 0, URL_START_BYTES)
      if (fault !== undefined) return readOn(text)
      const bytes = decode(text)
      document.push(bytes)
      return bytes
    },
    checked(contentType) {
      if (fault !== undefined) throw fault
      decoder.end()
      return document.checked(contentType)
    },
  }
}
