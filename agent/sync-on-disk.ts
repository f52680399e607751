import { open } from 'node:fs/promises'

/**
 * Waits until a file that was written elsewhere, or the names in a directory, are on disk. Windows has no way to ask for that of what is only
 * read.
 */
export async function syncOnDisk(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
