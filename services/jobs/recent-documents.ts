/** Caches the small documents of the last creations for the claim that usually follows within milliseconds. Others are downloaded. */

const BYTES_MAX = 16 * 1024 * 1024

export interface RecentDocuments {
  add(jobId: string, content: Uint8Array): void
  /** Removes and returns the document. */
  take(jobId: string): Uint8Array | undefined
}

export function createRecentDocuments(): RecentDocuments {
  const documents = new Map<string, Uint8Array>()
  let bytes = 0
  function take(jobId: string): Uint8Array | undefined {
    const content = documents.get(jobId)
    if (content && documents.delete(jobId)) bytes -= content.length
    return content
  }
  return {
    take,
    add(jobId, content) {
      documents.set(jobId, content)
      bytes += content.length
      for (const oldest of documents.keys()) {
        if (bytes <= BYTES_MAX) break
        take(oldest)
      }
    },
  }
}
