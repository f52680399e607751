import { buffer } from 'node:stream/consumers'
import { v7 as uuidv7 } from 'uuid'
import type { FileStore } from './file-store.ts'

const CONTENT = Buffer.from('platen-server doctor')

/**
 * Writes, reads and deletes a small object. If it cannot be deleted, the sweep of documents deletes it, because it has
 * the key of a document.
 *
 * @throws Error that names the operation; its cause is that of the store.
 */
export async function tryStore(store: FileStore): Promise<void> {
  const key = uuidv7()
  await named('write', async () => {
    await store.requireSpace()
    await store.write(key, toChunks(CONTENT))
  })
  await named('read', async () => {
    const read = await buffer(await store.read(key))
    if (!read.equals(CONTENT)) throw new Error('the content differs from what was written')
  })
  await named('delete', () => store.delete(key))
}

async function* toChunks(content: Uint8Array) {
  yield content
}

async function named(operation: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(`${operation} failed`, { cause: error })
  }
}
