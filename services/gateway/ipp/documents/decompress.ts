import { Readable } from 'node:stream'
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { IppRefusal } from '../refusal.ts'
import type { Compression } from './formats.ts'

/** The largest sizes as multiples of the compressed ones. Raster of empty pages has about 150. */
const RATIO_MAX = 200
/** A short document can have any ratio. */
const RATIO_FROM_BYTES = 1024 * 1024

/**
 * Decompresses a document as it arrives. What follows the end of the compressed data is ignored.
 *
 * @throws IppRefusal for data that is not in the compression, or that grows by more than its limit. Errors of
 *   `document`.
 */
export async function* decompress(document: AsyncGenerator<Buffer>, compression: Compression): AsyncGenerator<Buffer> {
  if (compression === 'none') {
    yield* document
    return
  }
  let compressedBytes = 0
  let failure: unknown
  async function* counted() {
    try {
      for await (const chunk of document) {
        compressedBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  const first = await document.next()
  if (first.done) return
  compressedBytes += first.value.length
  const decoder =
    compression === 'gzip' ? createGunzip() : hasZlibHeader(first.value) ? createInflate() : createInflateRaw()
  const source = Readable.from(inOrder(first.value, counted()))
  source.on('error', (error) => decoder.destroy(error))
  source.pipe(decoder)
  let bytes = 0
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > RATIO_FROM_BYTES && bytes > compressedBytes * RATIO_MAX)
        throw new IppRefusal(
          'client-error-compression-error',
          `The document has more than ${RATIO_MAX} times the size of its compressed data.`,
        )
      yield chunk
    }
  } catch (error) {
    if (failure !== undefined) throw failure
    if (error instanceof IppRefusal) throw error
    throw new IppRefusal('client-error-compression-error', `The document is no valid ${compression} data.`)
  } finally {
    source.destroy()
    decoder.destroy()
  }
}

async function* inOrder(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** IPP has raw deflate (RFC 1951). Some computers send it with the header of zlib (RFC 1950). */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}
