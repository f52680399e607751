/** Chooses the file store by URL, so that one machine and a cluster run the same code. */
import { ConfigError } from '../config.ts'
import { openDirectoryStore } from './directory-store.ts'
import type { FileStore } from './file-store.ts'

/**
 * @param url `file:///var/lib/platen/files`
 * @throws ConfigError for a kind of URL that is not known.
 */
export function openFileStore(url: string): FileStore {
  const parsed = new URL(url)
  if (parsed.protocol === 'file:') return openDirectoryStore(parsed)
  throw new ConfigError(`PLATEN_FILE_STORE_URL: no file store is known for ${parsed.protocol} Use file:///a/directory.`)
}
