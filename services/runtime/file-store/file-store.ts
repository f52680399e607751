/**
 * Storage of documents. The writer generates the key (`document-key.ts`) and publishes it only after the document is
 * complete. Content is streamed in both directions and never held in memory as a whole.
 *
 * A store does not verify content. Readers compare the SHA-256 of the document.
 */
import type { Readable } from 'node:stream'

export interface FileStore {
  /**
   * Call before a document is accepted. Only a directory has a reserve (`disk-reserve.ts`).
   *
   * @throws ApiError `storage_unavailable` if the store has too little free space.
   */
  requireSpace(): Promise<void>
  /**
   * Writes or replaces a document. After it returns, a crash does not lose the document. The write is atomic: if
   * `content` fails or the process dies, no document exists.
   *
   * @throws ApiError `storage_unavailable` if the store fails; errors of `content` unchanged.
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * @param offset first byte to read. Content of which no byte is at or behind the offset is empty.
   * @returns the content from `offset`, which throws `storage_unavailable` if the store fails during the read.
   * @throws ApiError `storage_unavailable`; `not_found` if the document does not exist.
   */
  read(key: string, offset?: number): Promise<Readable>
  /** Idempotent. @throws ApiError `storage_unavailable` */
  delete(key: string): Promise<void>
  /**
   * Lists the keys of documents whose write began at or before `before`, and deletes the remains of unfinished writes
   * of that time. Callers may delete documents during the iteration. Foreign objects are not listed.
   *
   * @param before at least some minutes ago, longer than any write takes.
   * @throws ApiError `storage_unavailable`
   */
  listOld(before: Date): AsyncIterable<string>
}
