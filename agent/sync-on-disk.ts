/**
 * Syncs files and directories to disk. Does nothing on Windows, which cannot sync a handle that is open for reading.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { getCode } from './disk-errors.ts'

/**
 * File systems of networks and shared folders refuse to sync a directory. Then a power failure can lose the newest
 * names in it.
 */
const REFUSALS = ['EINVAL', 'EPERM', 'EACCES', 'EBADF', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

const isRefused = (error: unknown) => REFUSALS.includes(getCode(error))

/** @throws Error unless the path is a directory that its file system refuses to sync. */
export async function syncOnDisk(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync().catch(async (error: unknown) => {
      if (!isRefused(error) || !(await handle.stat()).isDirectory()) throw error
    })
  } finally {
    await handle.close()
  }
}

/**
 * It is `syncOnDisk` for a directory, without waiting.
 *
 * @returns the error of a file system that refuses it.
 */
export function syncDirectory(dir: string): Error | undefined {
  if (process.platform === 'win32') return undefined
  const handle = openSync(dir, 'r')
  try {
    fsyncSync(handle)
    return undefined
  } catch (error) {
    if (!isRefused(error)) throw error
    return error as Error
  } finally {
    closeSync(handle)
  }
}
