/** Makes the document out of the text of `content`, and knows what is wrong with it. Used by `receive-print-job.ts`. */
import { createHash } from 'node:crypto'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createBase64Decoder } from './base64-decoder.ts'
import type { ContentType } from './print-job-request.ts'

/** So much more text is taken behind a fault in the document, so that one in the other fields can be told first. */
const READ_ON_LIMIT_BYTES = 64 * 1024
const PDF_MARKER = '%PDF-'
const NOTHING = Buffer.alloc(0)

export interface DocumentDecoder {
  /**
   * @returns the next bytes of the document; none once there is a fault in it.
   * @throws ApiError `content_too_large` as soon as it is; `invalid_content` when much text comes behind a fault.
   */
  push(text: Buffer): Buffer
  /**
   * To be asked once, when all text has come.
   *
   * @throws ApiError `invalid_content` when the document is not what `contentType` says. An empty one is never right: there is
   *   nothing to print, so somebody has lost it on the way.
   */
  checked(contentType: ContentType): { sizeBytes: number; sha256: string }
}

export function createDocumentDecoder(): DocumentDecoder {
  const decoder = createBase64Decoder()
  const hash = createHash('sha256')
  let start = NOTHING
  let sizeBytes = 0
  let fault: unknown
  let readOnBytes = 0

  function readOn(text: Buffer): Buffer {
    readOnBytes += text.length
    if (readOnBytes > READ_ON_LIMIT_BYTES) throw fault
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
      if (fault !== undefined) return readOn(text)
      const bytes = decode(text)
      sizeBytes += bytes.length
      if (sizeBytes > DOCUMENT_MAX_BYTES)
        throw new ApiError('content_too_large', `The document is larger than ${DOCUMENT_MAX_BYTES} bytes.`)
      hash.update(bytes)
      if (start.length < PDF_MARKER.length) start = Buffer.concat([start, bytes.subarray(0, PDF_MARKER.length)])
      return bytes
    },
    checked(contentType) {
      if (fault !== undefined) throw fault
      decoder.end()
      if (sizeBytes === 0) throw new ApiError('invalid_content', 'The document is empty.')
      if (contentType === 'pdf_base64' && !start.toString('latin1').startsWith(PDF_MARKER))
        throw new ApiError('invalid_content', `The document is not a PDF: it does not start with \`${PDF_MARKER}\`.`)
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  }
}
