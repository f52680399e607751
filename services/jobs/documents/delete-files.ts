import type { FileStore } from '@platen/runtime/file-store/file-store.ts'

/** Concurrent deletions. */
const DELETIONS_MAX = 16

/**
 * Deletes documents from the file store. A key without a document is no error, so an interrupted sweep can be repeated.
 */
export async function deleteFiles(files: Pick<FileStore, 'delete'>, keys: string[]): Promise<void> {
  for (let n = 0; n < keys.length; n += DELETIONS_MAX)
    await Promise.all(keys.slice(n, n + DELETIONS_MAX).map((key) => files.delete(key)))
}
