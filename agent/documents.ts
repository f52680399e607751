/** Stores the documents of unprinted jobs, one file per job, named by the job id. An existing file is complete. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { syncOnDisk } from './sync-on-disk.ts'

/** The largest document of the service. Larger ones are refused, so that a hostile service cannot fill the disk. */
const DOCUMENT_MAX_BYTES = 26_214_400

/** Free space that documents leave for the computer: this, or a share of a small disk. */
const RESERVE_MAX_BYTES = 500_000_000
const RESERVE_SHARE = 0.05

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

export type Documents = ReturnType<typeof openDocuments>

export function openDocuments(dir: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const getPath = (jobId: string) => join(dir, jobId)

  return {
    getPath,

    /** Whether a document leaves the reserve of the disk free. */
    async fits({ fileSizeBytes }: Expected): Promise<boolean> {
      const { bsize, blocks, bavail } = await statfs(dir)
      return bavail * bsize - fileSizeBytes >= Math.min(RESERVE_MAX_BYTES, blocks * bsize * RESERVE_SHARE)
    },

    async isComplete(jobId: string, { fileSizeBytes, fileSha256 }: Expected): Promise<boolean> {
      const path = getPath(jobId)
      if (!existsSync(path) || (await stat(path)).size !== fileSizeBytes) return false
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(path)) hash.update(chunk)
      return hash.digest('hex') === fileSha256
    },

    /**
     * Writes and syncs a document as a stream. If it throws, no file is left.
     *
     * @throws DocumentMismatch as soon as the document is longer than announced, or at the end if size or hash differ.
     */
    async write(
      jobId: string,
      chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      expected: Expected,
    ): Promise<void> {
      const part = `${getPath(jobId)}.part`
      try {
        await writeChecked(part, chunks, expected)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      await rename(part, getPath(jobId))
      await syncOnDisk(dir)
    },

    remove: (jobId: string) => rm(getPath(jobId), { force: true }),

    /** Deletes files that no job needs, for example after a crash. */
    async keepOnly(isNeeded: (jobId: string) => boolean): Promise<void> {
      for (const name of await readdir(dir)) if (!isNeeded(name)) await rm(join(dir, name))
    },
  }
}

async function writeChecked(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  expected: Expected,
): Promise<void> {
  const { fileSizeBytes, fileSha256 } = expected
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(path, 'w', 0o600)
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > fileSizeBytes)
        throw new DocumentMismatch(`The document is longer than the announced ${fileSizeBytes} bytes.`)
      hash.update(chunk)
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
