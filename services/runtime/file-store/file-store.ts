/**
 * Where documents lie. A document's key is an opaque name that its writer made. Bytes are streamed both ways and never held whole.
 */
import type { Readable } from 'node:stream'

export interface FileStore {
  /**
   * Writes a document durably: when this comes back, a crash does not lose it. When `content` fails or ends early nothing
   * remains under the key.
   *
   * @throws ApiError `storage_unavailable` when the store fails; what `content` throws is passed on as it is.
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** @throws ApiError `storage_unavailable`; `not_found` when there is no such document. */
  read(key: string): Promise<Readable>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
}
