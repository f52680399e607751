/** Stores the documents of unprinted jobs, one file per job, named by the job id. An existing file is complete. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DOCUMENT_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { getFreeBytes } from './disk.ts'
import { syncOnDisk } from './sync-on-disk.ts'

export interface Expected {
  fileSizeBytes: number
  /** Hex. */
  fileSha256: string
}

/** Size or hash differ from the announced values. */
export class DocumentMismatch extends Error {
  override name = 'DocumentMismatch'
}

export const isTooLarge = ({ fileSizeBytes }: Expected): boolean => fileSizeBytes > DOCUMENT_MAX_BYTES

/** The content of a document from an offset. */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Space for a document, or what it lacks: the disk has too little, or other documents use `maxBytes`. */
export type Claim = 'claimed' | 'disk full' | 'limit reached'

export type Documents = ReturnType<typeof openDocuments>

/** @param maxBytes of all documents. */
export function openDocuments(dir: string, maxBytes = Number.POSITIVE_INFINITY) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  /** Announced sizes of documents that are stored or will be. */
  const claims = new Map(readdirSync(dir).map((name) => [toJobId(name), statSync(join(dir, name)).size]))
  const getPath = (jobId: string) => join(dir, jobId)
  const getPartPath = (jobId: string) => `${getPath(jobId)}.part`

  return {
    getPath,

    /** Whether a document leaves the reserve of the disk free. */
    fits: async (sizeBytes: number): Promise<boolean> => sizeBytes <= (await getFreeBytes(dir)),

    /** Reserves space for a document until it is removed. */
    async claim(jobId: string, sizeBytes: number): Promise<Claim> {
      if (sizeBytes > (await getFreeBytes(dir))) return 'disk full'
      let claimedBytes = sizeBytes
      for (const [id, bytes] of claims) if (id !== jobId) claimedBytes += bytes
      if (claimedBytes > maxBytes) return 'limit reached'
      claims.set(jobId, sizeBytes)
      return 'claimed'
    },

    async isComplete(jobId: string, { fileSizeBytes, fileSha256 }: Expected): Promise<boolean> {
      const path = getPath(jobId)
      if (!existsSync(path) || (await stat(path)).size !== fileSizeBytes) return false
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(path)) hash.update(chunk)
      return hash.digest('hex') === fileSha256
    },

    /** Bytes of an incomplete document. */
    async getPartBytes(jobId: string): Promise<number> {
      const path = getPartPath(jobId)
      return existsSync(path) ? (await stat(path)).size : 0
    },

    /**
     * Writes and syncs a document as a stream. If the content fails, the bytes that arrived are kept, and the next call
     * continues behind them.
     *
     * @throws DocumentMismatch as soon as the document is longer than announced, or at the end if size or hash differ.
     *   Nothing is kept.
     */
    async write(jobId: string, readFrom: ReadFrom, expected: Expected): Promise<void> {
      const part = getPartPath(jobId)
      try {
        await writeChecked(part, readFrom, expected)
      } catch (error) {
        if (error instanceof DocumentMismatch) await rm(part, { force: true })
        throw error
      }
      await rename(part, getPath(jobId))
      await syncOnDisk(dir)
    },

    /** Deletes a document, also if it is incomplete. */
    async remove(jobId: string): Promise<void> {
      claims.delete(jobId)
      for (const path of [getPartPath(jobId), getPath(jobId)]) await rm(path, { force: true })
    },

    /** Deletes files that no job needs, for example after a crash. */
    async keepOnly(isNeeded: (jobId: string) => boolean): Promise<void> {
      for (const jobId of claims.keys()) if (!isNeeded(jobId)) claims.delete(jobId)
      for (const name of await readdir(dir)) if (!isNeeded(name)) await rm(join(dir, name))
    },
  }
}

const toJobId = (name: string) => name.replace(/\.part$/, '')

/** Appends to the file. */
async function writeChecked(path: string, readFrom: ReadFrom, expected: Expected): Promise<void> {
  const { fileSizeBytes, fileSha256 } = expected
  const hash = createHash('sha256')
  let sizeBytes = 0
  const add = (chunk: Uint8Array) => {
    sizeBytes += chunk.length
    if (sizeBytes > fileSizeBytes)
      throw new DocumentMismatch(`The document is longer than the announced ${fileSizeBytes} bytes.`)
    hash.update(chunk)
  }
  const file = await open(path, 'a+', 0o600)
  try {
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) add(chunk)
    // Otherwise only the end of the stream was cut.
    if (sizeBytes === 0 || sizeBytes < fileSizeBytes)
      for await (const chunk of readFrom(sizeBytes)) {
        add(chunk)
        await file.writeFile(chunk)
      }
    if (sizeBytes !== fileSizeBytes)
      throw new DocumentMismatch(`The document has ${sizeBytes} of the announced ${fileSizeBytes} bytes.`)
    if (hash.digest('hex') !== fileSha256)
      throw new DocumentMismatch('The SHA-256 of the document differs from the announced value.')
    await file.sync()
  } finally {
    await file.close()
  }
}
