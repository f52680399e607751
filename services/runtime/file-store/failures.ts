/** What the failures of a store are called, whichever it is, and how they are told from those of whom it stores for. */
import { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'

export const gone = (cause?: unknown): ApiError => new ApiError('not_found', 'The stored document is gone.', { cause })

/** A failure of our own stays what it is. */
export function unavailable(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  return new ApiError('storage_unavailable', 'The document store is not available. Try again in a moment.', { cause })
}

/** @throws ApiError `storage_unavailable` */
export async function fromStore<T>(operation: Promise<T>): Promise<T> {
  return await operation.catch((error: unknown) => {
    throw unavailable(error)
  })
}

/**
 * Has a library write `content`.
 *
 * @throws what `content` throws, also where the library says something else about it; ApiError `storage_unavailable`
 */
export async function writeFrom(
  content: AsyncIterable<Uint8Array>,
  write: (content: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<void> {
  let failure: { error: unknown } | undefined
  async function* watch() {
    const chunks = content[Symbol.asyncIterator]()
    // Not by `yield*`, which would take for a failure of the content what the library throws into it when the store fails.
    const next = () =>
      chunks.next().catch((error: unknown) => {
        failure = { error }
        throw error
      })
    try {
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    } finally {
      await chunks.return?.()
    }
  }
  const watched = watch()
  try {
    await write(watched)
  } catch (error) {
    throw failure ? failure.error : unavailable(error)
  } finally {
    // Nobody takes the rest. Whoever sends it is not waited for.
    void watched.return().catch(() => undefined)
  }
}

/** A document as a store brings it. */
export function readFrom(chunks: AsyncIterable<Uint8Array>): Readable {
  async function* named() {
    try {
      yield* chunks
    } catch (error) {
      throw unavailable(error)
    }
  }
  return Readable.from(named(), { objectMode: false })
}
