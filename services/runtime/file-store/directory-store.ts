/**
 * The file store of one machine: a directory. A complete document is renamed to its final name and synced after that,
 * so that the file system commits once. `write` returns after the sync, because before it a power failure can keep the
 * name and lose the content.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, fsync, open as openDescriptor } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDiskReserve } from './disk-reserve.ts'
import { checkedKey, isOldKey } from './document-key.ts'
import { fromStore, gone, unavailable } from './failures.ts'
import type { FileStore } from './file-store.ts'

/** The random end of a key's id. */
const SPREAD = /[0-9a-z]{2}(?=(?:-\d{1,4})?$)/
const FOLDER = /^[0-9a-z]{2}$/
/** Separates the key from the random suffix in the name of an unfinished document. */
const UNFINISHED = '.'

export function openDirectoryStore(url: URL): FileStore {
  const root = fileURLToPath(url)
  // Many folders, because a folder with a million entries is slow on many file systems.
  const getFolder = (key: string) => join(root, SPREAD.exec(key)?.[0] ?? 'xx')
  const getPath = (key: string) => join(getFolder(checkedKey(key)), key)
  const folders = createFolderSync()

  /** Creates the folder only after a failed open, because it nearly always exists. */
  async function create(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    folders.delete(dirname(path))
    await folders.sync(root)
    return await open(path, 'wx', 0o600)
  }

  return {
    requireSpace: createDiskReserve(root).require,
    async write(key, content) {
      const path = getPath(key)
      let name = `${path}${UNFINISHED}${randomBytes(4).toString('hex')}`
      const file = await fromStore(create(name))
      try {
        for await (const chunk of content) await fromStore(file.writeFile(chunk))
        await fromStore(rename(name, path))
        name = path
        await fromStore(file.sync())
        await fromStore(folders.sync(getFolder(key)))
      } catch (error) {
        // Reports the failed write. `listOld` deletes a file that cannot be deleted now.
        await rm(name, { force: true }).catch(() => undefined)
        throw error
      } finally {
        await fromStore(file.close())
      }
    },
    async read(key, offset = 0) {
      try {
        const file = await open(getPath(key), 'r')
        return createReadStream('', { fd: file, autoClose: true, start: offset })
      } catch (error) {
        throw isMissing(error) ? gone(error) : unavailable(error)
      }
    },
    async delete(key) {
      await fromStore(rm(getPath(key), { force: true }))
    },
    async *listOld(before) {
      try {
        for (const folder of await readdir(root)) {
          if (!FOLDER.test(folder)) continue
          for await (const { name, parentPath } of await opendir(join(root, folder))) {
            const [key = '', ...unfinished] = name.split(UNFINISHED)
            if (!isOldKey(key, before)) continue
            if (unfinished.length === 0) yield key
            else await rm(join(parentPath, name), { force: true })
          }
        }
      } catch (error) {
        // No document was ever written.
        if (!isMissing(error)) throw unavailable(error)
      }
    },
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Syncs folders, because a new file is durable only after its folder was synced. Windows neither supports nor needs it.
 * Folders stay open, because opening one costs more than syncing it.
 */
function createFolderSync() {
  const folders = new Map<string, Promise<number>>()
  return {
    async sync(path: string): Promise<void> {
      if (process.platform === 'win32') return
      const folder = folders.get(path) ?? promisify(openDescriptor)(path, 'r')
      folders.set(path, folder)
      await folder.then(promisify(fsync)).catch((error: unknown) => {
        folders.delete(path)
        throw error
      })
    },
    /** Drops the open folder after the path was created again. */
    delete: (path: string) => folders.delete(path),
  }
}
