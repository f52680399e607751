/**
 * Where documents lie. A document's key is a name that its writer made (`document-key.ts`), and nobody else knows it before the
 * document is complete. Bytes are streamed both ways and never held whole.
 *
 * A store does not say whether what it gives is what was written: who reads knows the document's SHA-256 and compares.
 */
import type { Readable } from 'node:stream'

export interface FileStore {
  /**
   * Writes a document durably: when this comes back, a crash does not lose it. Nobody can read a part of it: when `content` fails, or the
   * process dies, there is no document. To write one again replaces it.
   *
   * @throws ApiError `storage_unavailable` when the store fails; what `content` throws is passed on as it is.
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * @returns the bytes, which end in `storage_unavailable` when the store fails on the way.
   * @throws ApiError `storage_unavailable`; `not_found` when there is no such document.
   */
  read(key: string): Promise<Readable>
  /** Deleting what is not there is no error. @throws ApiError `storage_unavailable` */
  delete(key: string): Promise<void>
  /**
   * Keys of the documents that were begun at or before a time. Also takes away what is left of writes that were begun by then and never
   * ended. Keys may be deleted on the way. Nothing that is not ours is listed.
   *
   * @param before at least some minutes ago: no write takes longer.
   * @throws ApiError `storage_unavailable`
   */
  listOld(before: Date): AsyncIterable<string>
}
