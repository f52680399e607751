import { ApiError } from '../errors.ts'
import { fileStoreDuration } from '../telemetry/metrics.ts'
import type { FileStore } from './file-store.ts'

/**
 * Records the duration and the result of each operation. A write lasts as long as its content arrives, a read until it
 * begins.
 */
export function measured(store: FileStore): FileStore {
  async function measure<T>(op: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const record = (result: string) => fileStoreDuration.record((performance.now() - startedAt) / 1000, { op, result })
    try {
      const value = await work()
      record('ok')
      return value
    } catch (error) {
      record(toResult(error))
      throw error
    }
  }
  return {
    ...store,
    write: (key, content) => measure('write', () => store.write(key, content)),
    read: (key, offset) => measure('read', () => store.read(key, offset)),
    delete: (key) => measure('delete', () => store.delete(key)),
  }
}

function toResult(error: unknown): string {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'storage_unavailable') return 'failed'
  // Any other error of a write is that of its content.
  return code === 'not_found' ? 'missing' : 'aborted'
}
