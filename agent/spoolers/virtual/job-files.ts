/**
 * The jobs of the virtual spooler on disk: `<id>.json` contains the submission, `<id>.pdf` or `<id>.raw` is the
 * document. A job exists when its JSON file exists. Ids begin with the token, so that a job is found by the names of
 * the files.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Submission } from '../spooler.ts'

export interface VirtualJob {
  id: string
  /** Title and token, as in other spoolers. */
  name: string
  token: string
  printer: string
  contentType: string
  qty: number
  options: Submission['options']
  /** File name of the document in the same directory. */
  document: string
  sha256: string
  sizeBytes: number
  /** ISO 8601. */
  submittedAt: string
}

export type JobFiles = ReturnType<typeof openJobFiles>

export function openJobFiles(dir: string) {
  mkdirSync(dir, { recursive: true })
  const getPath = (id: string) => join(dir, `${id}.json`)

  return {
    async add({ token, title, printerOsName, file, ...others }: Submission): Promise<VirtualJob> {
      const id = `${token}.${randomUUID()}`
      const document = `${id}.${others.contentType.startsWith('pdf') ? 'pdf' : 'raw'}`
      await copyOrRemove(file, join(dir, document))
      const job: VirtualJob = {
        id,
        name: `${title} [${token}]`,
        token,
        printer: printerOsName,
        contentType: others.contentType,
        qty: others.qty,
        options: others.options,
        document,
        sha256: await hashFile(join(dir, document)),
        sizeBytes: (await stat(join(dir, document))).size,
        submittedAt: new Date().toISOString(),
      }
      await writeFile(`${getPath(id)}.new`, JSON.stringify(job, null, 2))
      await rename(`${getPath(id)}.new`, getPath(id))
      return job
    },

    async read(id: string): Promise<VirtualJob | undefined> {
      return existsSync(getPath(id)) ? JSON.parse(await readFile(getPath(id), 'utf8')) : undefined
    },

    /** @returns the id. */
    async find(token: string): Promise<string | undefined> {
      const name = (await readdir(dir)).find((name) => name.startsWith(`${token}.`) && name.endsWith('.json'))
      return name?.slice(0, -'.json'.length)
    },

    /** Deletes jobs that were submitted before this time, in milliseconds since 1970. */
    async purge(beforeMs: number): Promise<void> {
      for (const name of await readdir(dir)) {
        const path = join(dir, name)
        const found = await statIfPresent(path)
        if (found && found.mtimeMs < beforeMs) await rm(path, { force: true })
      }
    },

    /**
     * Deletes the oldest documents until at most this many bytes remain. The jobs themselves are kept.
     *
     * @param isPrinted whether the job is printed. Documents of other jobs are kept. Its document was stored at this
     *   time, in milliseconds since 1970.
     * @returns the remaining bytes.
     */
    async shrink(maxBytes: number, isPrinted: (id: string, storedAtMs: number) => boolean): Promise<number> {
      const documents = (await readdir(dir)).filter((name) => /\.(pdf|raw)$/.test(name))
      const found = await Promise.all(
        documents.map(async (name) => ({ name, stats: await statIfPresent(join(dir, name)) })),
      )
      const files = found.flatMap(({ name, stats }) => (stats ? [{ name, ...stats }] : []))
      let bytes = files.reduce((sum, { size }) => sum + size, 0)
      for (const { name, size, mtimeMs } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
        if (bytes <= maxBytes) break
        if (!isPrinted(name.slice(0, -'.pdf'.length), mtimeMs)) continue
        await rm(join(dir, name), { force: true })
        bytes -= size
      }
      return bytes
    },
  }
}

/** Facts of a file that another call may delete. */
const statIfPresent = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** A copy that fails, for example on a full disk, leaves nothing. */
async function copyOrRemove(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
