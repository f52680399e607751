import { open } from 'node:fs/promises'

/**
 * Syncs a file or a directory to disk. Does nothing on Windows, which cannot sync a handle that is open for reading.
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
