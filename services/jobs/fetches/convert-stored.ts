/** Converts a stored image to a stored PDF. Reference: docs/reference/print-jobs.md#images. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '@platen/runtime/errors.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { Conversions } from '../images/conversions.ts'
import type { Sheets } from '../images/lay-out-image.ts'
import { type FetchedDocument, InvalidDocument } from './fetch-document.ts'

export interface StoredImage {
  organizationId: string
  /** Keys of the image and of the PDF, which can be the same. A failed conversion stores nothing. */
  from: string
  to: string
  sheets: Sheets
  /** Checked before the conversion, which cannot be aborted. */
  signal: AbortSignal
  /** Called when the wait for other conversions has ended. */
  onStart: () => Promise<void>
}

/** @throws InvalidDocument; ApiError `storage_unavailable`; the signal's reason. */
export async function convertStored(
  { files, conversions }: { files: FileStore; conversions: Conversions },
  { organizationId, from, to, sheets, signal, onStart }: StoredImage,
): Promise<FetchedDocument> {
  return await conversions.inTurn(organizationId, async () => {
    signal.throwIfAborted()
    await onStart()
    const result = await conversions.convert(await read(files, from), sheets)
    if ('fault' in result) throw new InvalidDocument(result.fault)
    const { pdf } = result
    await files.write(to, only(pdf))
    return { sizeBytes: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') }
  })
}

async function read(files: FileStore, key: string): Promise<Buffer> {
  try {
    return await buffer(await files.read(key))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw new InvalidDocument('missing')
    throw error
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
