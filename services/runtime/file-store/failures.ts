/** Errors of all file stores, distinguished from errors of the written content. */
import { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'

export const gone = (cause?: unknown): ApiError => new ApiError('not_found', 'The stored document is gone.', { cause })

/** An `ApiError` is returned unchanged. */
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
 * Writes `content` by a library.
 *
 * @throws the error of `content`, even if the library throws another error because of it; ApiError
 *   `storage_unavailable`
 */
export async function writeFrom(
  content: AsyncIterable<Uint8Array>,
  write: (content: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<void> {
  let failure: { error: unknown } | undefined
  async function* watch() {
    const chunks = content[Symbol.asyncIterator]()
    // No `yield*`, because it would pass an error that the library throws into the generator to the content.
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
    // Ends the content without waiting for its source.
    void watched.return().catch(() => undefined)
  }
}

/** Streams a stored document. Errors become `storage_unavailable`. */
export function readFrom(chunks: AsyncIterable<Uint8Array>): Readable {
  async function* mapErrors() {
    try {
      yield* chunks
    } catch (error) {
      throw unavailable(error)
    }
  }
  return Readable.from(mapErrors(), { objectMode: false })
}
