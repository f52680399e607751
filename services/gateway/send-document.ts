import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from './context.ts'
import { RequestAborted } from './request/read-body.ts'

interface Document {
  /** The name of the download. */
  name: string
  sizeBytes: number
  /** Hex. */
  sha256: string
}

/**
 * Streams an untrusted document as a download, which no browser shows or runs. Sends the last chunk after the SHA-256
 * is verified, so that a damaged document never looks complete: the client gets less than `Content-Length`, or an error
 * if it was the only chunk.
 *
 * @throws ApiError `storage_unavailable` for a damaged document or if the store fails; `RequestAborted` if the client
 *   has disconnected.
 */
export async function sendDocument(ctx: RequestContext, content: Readable, document: Document): Promise<void> {
  const chunks = verify(content, document)
  // Before the headers, so that an error can still be answered.
  const first = ctx.method === 'HEAD' ? undefined : await chunks.next()
  ctx.set({
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(document.sizeBytes),
    'Content-Disposition': `attachment; filename="${document.name}"`,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  ctx.status = 200
  if (!first) {
    content.destroy()
    return
  }
  try {
    await pipeline(concatenate(first, chunks), ctx.res)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') throw new RequestAborted()
    throw error
  }
}

async function* concatenate(first: IteratorResult<Uint8Array>, others: AsyncIterable<Uint8Array>) {
  if (first.done) return
  yield first.value
  yield* others
}

async function* verify(chunks: AsyncIterable<Uint8Array>, { sizeBytes, sha256 }: Document) {
  const hash = createHash('sha256')
  let size = 0
  let last: Uint8Array | undefined
  for await (const chunk of chunks) {
    if (last) yield last
    hash.update(chunk)
    size += chunk.length
    last = chunk
  }
  if (size !== sizeBytes || hash.digest('hex') !== sha256)
    throw new ApiError('storage_unavailable', 'The stored document is damaged. Send it again in a new job.')
  if (last) yield last
}
