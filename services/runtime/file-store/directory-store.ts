/**
 * The file store of one machine: a directory. A document gets its name when all of it is there. It is synced only after that, so that the
 * file system commits once: until the sync is over nobody is told of the document, whose name alone would survive a power cut.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, fsync, open as openDescriptor } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkedKey, isOldKey } from './document-key.ts'
import { fromStore, gone, unavailable } from './failures.ts'
import type { FileStore } from './file-store.ts'

/** The random end of a key's id. */
const SPREAD = /[0-9a-z]{2}(?=(?:-\d{1,4})?$)/
const FOLDER = /^[0-9a-z]{2}$/
/** Between the key and the rest of an unfinished document's name. */
const UNFINISHED = '.'

export function openDirectoryStore(url: URL): FileStore {
  const root = fileURLToPath(url)
  // Spread over 256 folders: one folder with a million entries is slow on many file systems.
  const folderOf = (key: string) => join(root, SPREAD.exec(key)?.[0] ?? 'xx')
  const pathOf = (key: string) => join(folderOf(checkedKey(key)), key)
  const folders = createFolderSync()

  /** Nearly always the folder is there: it is only made when it is missed. */
  async function create(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    folders.made(dirname(path))
    await folders.sync(root)
    return await open(path, 'wx', 0o600)
  }

  return {
    async write(key, content) {
      const path = pathOf(key)
      let name = `${path}${UNFINISHED}${randomBytes(4).toString('hex')}`
      const file = await fromStore(create(name))
      try {
        for await (const chunk of content) await fromStore(file.writeFile(chunk))
        await fromStore(rename(name, path))
        name = path
        await fromStore(file.sync())
        await fromStore(folders.sync(folderOf(key)))
      } catch (error) {
        // The failure of the write counts. A file that cannot be deleted now is deleted as an old one.
        await rm(name, { force: true }).catch(() => undefined)
        throw error
      } finally {
        await file.close()
      }
    },
    async read(key) {
      try {
        const file = await open(pathOf(key), 'r')
        return createReadStream('', { fd: file, autoClose: true })
      } catch (error) {
        throw isMissing(error) ? gone(error) : unavailable(error)
      }
    },
    async delete(key) {
      await fromStore(rm(pathOf(key), { force: true }))
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
        // Nothing was ever written.
        if (!isMissing(error)) throw unavailable(error)
      }
    },
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * A new file is durable only when its folder is. Windows has no such call and needs none. The folders, at most 257, stay open for the
 * process: to open and close one costs more than to sync it.
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
    /** It was made, perhaps again. */
    made: (path: string) => folders.delete(path),
  }
}
