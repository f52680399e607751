/**
 * Caches the small documents of the last creations for the claim that usually follows within milliseconds. Others are
 * downloaded.
 */
import { createSizedMap } from '@platen/runtime/cache.ts'

const BYTES_MAX = 16 * 1024 * 1024

export interface RecentDocuments {
  add(jobId: string, content: Uint8Array): void
  /** Removes and returns the document. */
  take(jobId: string): Uint8Array | undefined
}

export function createRecentDocuments(): RecentDocuments {
  const documents = createSizedMap(BYTES_MAX)
  return {
    add: (jobId, content) => void documents.set(jobId, content),
    take(jobId) {
      const content = documents.get(jobId)
      documents.delete(jobId)
      return content
    },
  }
}
