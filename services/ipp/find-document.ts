import { REQUEST_VALUES_MAX } from './decode.ts'
import { IppDecodingError } from './decoding-error.ts'
import { END_OF_ATTRIBUTES, FIRST_VALUE_TAG } from './tags.ts'

/** The maximum of bytes before the document. CUPS sends about 2 KB. */
export const ATTRIBUTES_MAX_BYTES = 64 * 1024

const HEAD_BYTES = 8

/**
 * Finds where the document of a request begins while the request arrives. Collections need no care, because their
 * members are encoded as further values.
 *
 * @returns a function of all bytes that have arrived, which returns the offset of the document, or undefined until the
 *   attributes are complete. It reads each value once. @throws IppDecodingError for more attributes than the limits
 *   permit.
 */
export function createDocumentFinder(): (bytes: Buffer) => number | undefined {
  let offset = HEAD_BYTES
  let values = 0

  /** @returns the end of the value at `offset`, or undefined if it has not arrived. */
  function findEnd(bytes: Buffer): number | undefined {
    const valueLength = offset + 3 + (bytes.length >= offset + 3 ? bytes.readUInt16BE(offset + 1) : 0)
    if (bytes.length < valueLength + 2) return undefined
    const end = valueLength + 2 + bytes.readUInt16BE(valueLength)
    return end > bytes.length ? undefined : end
  }

  return (bytes) => {
    while (offset < bytes.length) {
      const tag = bytes[offset] ?? END_OF_ATTRIBUTES
      if (tag === END_OF_ATTRIBUTES) return offset < ATTRIBUTES_MAX_BYTES ? offset + 1 : tooMany()
      const end = tag < FIRST_VALUE_TAG ? offset + 1 : findEnd(bytes)
      if (end === undefined) break
      if (++values > REQUEST_VALUES_MAX) throw tooLarge(`${REQUEST_VALUES_MAX} values`)
      offset = end
    }
    return bytes.length > ATTRIBUTES_MAX_BYTES ? tooMany() : undefined
  }
}

function tooMany(): never {
  throw tooLarge(`${ATTRIBUTES_MAX_BYTES} bytes`)
}

const tooLarge = (limit: string) =>
  new IppDecodingError(`The attributes have more than ${limit}.`, 'client-error-request-entity-too-large')
