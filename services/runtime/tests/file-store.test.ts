import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFileStore } from '../file-store/open-file-store.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-files-'))
})

afterEach(() => rm(root, { recursive: true }))

const KEY = '01a1fc9c-9dfb-775d-b6df-49dad904f618'

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('what was written is read back', async () => {
  const store = openFileStore(pathToFileURL(root).href)
  await store.write(KEY, chunks('%PDF-', '1.7'))
  expect(await buffer(await store.read(KEY))).toEqual(Buffer.from('%PDF-1.7'))
})

test('an upload that breaks off leaves nothing behind', async () => {
  const store = openFileStore(pathToFileURL(root).href)
  async function* broken() {
    yield Buffer.from('%PDF-')
    throw new Error('the client went away')
  }
  await expect(store.write(KEY, broken())).rejects.toThrow('the client went away')
  await expect(store.read(KEY)).rejects.toMatchObject({ code: 'not_found' })
  expect((await readdir(root, { recursive: true })).filter((name) => name.includes(KEY))).toEqual([])
})

test('a deleted document is gone, and deleting it again is no error', async () => {
  const store = openFileStore(pathToFileURL(root).href)
  await store.write(KEY, chunks('x'))
  await store.delete(KEY)
  await store.delete(KEY)
  await expect(store.read(KEY)).rejects.toMatchObject({ code: 'not_found' })
})

test('a folder that was taken away is made again', async () => {
  const store = openFileStore(pathToFileURL(root).href)
  await store.write(KEY, chunks('x'))
  for (const folder of await readdir(root)) await rm(join(root, folder), { recursive: true })
  await store.write(KEY, chunks('y'))
  expect(await buffer(await store.read(KEY))).toEqual(Buffer.from('y'))
})

test('a store that cannot be written to is unavailable', async () => {
  const store = openFileStore(pathToFileURL('/dev/null/nowhere').href)
  await expect(store.write(KEY, chunks('x'))).rejects.toMatchObject({ code: 'storage_unavailable' })
})

test.each(['../../../etc/passwd', '/etc/passwd', '', 'a/b', 'UPPER-CASE-KEY'])(
  'the key %j never reaches the disk',
  async (key) => {
    const store = openFileStore(pathToFileURL(root).href)
    await expect(store.write(key, chunks('x'))).rejects.toMatchObject({ code: 'internal_error' })
    await expect(store.read(key)).rejects.toMatchObject({ code: 'internal_error' })
  },
)
