/**
 * The file store of one machine: a directory. A document is written straight under its key, which nobody knows before it is
 * complete: a rename at the end would only make the file system commit twice.
 */
import { createReadStream, fsync, open as openDescriptor } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ApiError } from '../errors.ts'
import type { FileStore } from './file-store.ts'

export function openDirectoryStore(url: URL): FileStore {
  const root = fileURLToPath(url)
  // Spread over 256 folders by the key's random end: one folder with a million entries is slow on many file systems.
  const folderOf = (key: string) => join(root, key.slice(-2))
  const pathOf = (key: string) => join(folderOf(checkedKey(key)), key)
  const folders = createFolderSync()

  /** Nearly always the folder is there: it is only made when it is missed. */
  async function create(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    folders.made(dirname(path))
    await folders.sync(root)
    return await open(path, 'wx', 0o600)
  }

  return {
    async write(key, content) {
      const path = pathOf(key)
      const file = await storage(create(path))
      try {
        await writeDurably(file, content)
        await storage(folders.sync(folderOf(key)))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },
    async read(key) {
      const file = await storage(open(pathOf(key), 'r'))
      return createReadStream('', { fd: file, autoClose: true })
    },
    async delete(key) {
      await storage(rm(pathOf(key), { force: true }))
    },
  }
}

async function writeDurably(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of content) await storage(file.writeFile(chunk))
    await storage(file.sync())
  } finally {
    await file.close()
  }
}

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

/** Keys are made by us; one that could leave the directory is a defect or an attack. */
function checkedKey(key: string): string {
  if (!/^[a-z0-9-]{8,80}$/.test(key))
    throw new ApiError('internal_error', 'A document has a name that no store can hold.')
  return key
}

async function storage<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ApiError('not_found', 'The stored document is gone.', { cause: error })
    throw new ApiError('storage_unavailable', 'The document store is not available. Try again in a moment.', {
      cause: error,
    })
  }
}
