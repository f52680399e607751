/**
 * Where documents lie. Chosen by URL, so that one machine and a cluster run the same code; a document's key is an opaque name
 * that its writer made. Bytes are streamed both ways and never held whole.
 */
import type { Readable } from 'node:stream'
import { ConfigError } from '../config.ts'
import { openDirectoryStore } from './directory-store.ts'

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

/**
 * @param url `file:///var/lib/platen/files`
 * @throws ConfigError for a kind of URL that is not known.
 */
export function openFileStore(url: string): FileStore {
  const parsed = new URL(url)
  if (parsed.protocol === 'file:') return openDirectoryStore(parsed)
  throw new ConfigError(`PLATEN_FILE_STORE_URL: no file store is known for ${parsed.protocol} Use file:///a/directory.`)
}
