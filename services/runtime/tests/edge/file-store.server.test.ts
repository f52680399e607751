import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import promises, { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { FILE_STORES, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConfigError } from '../../config.ts'
import type { FileStore } from '../../file-store/file-store.ts'
import { openFileStore } from '../../file-store/open-file-store.ts'

const LIMIT_BYTES = 26_214_400
/** Larger than a part of S3 and many chunks of NATS. */
const LARGE_BYTES = 6_000_000
/** Timeout of tests with a server that does not answer. */
const SHORT_MS = 1_000
const KEY = '01a1fc9c-9dfb-775d-b6df-49dad904f618'
const KEY_TIME = 0x01a1fc9c9dfb
const NOT_FOUND = { code: 'not_found' }
const UNAVAILABLE = { code: 'storage_unavailable' }

async function* chunks(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part)
}

async function openTestStore(url: string, answerTimeoutMs?: number): Promise<FileStore> {
  const service = createTestProcess('files')
  onTestFinished(() => service.stop())
  return await openFileStore(service, url, undefined, answerTimeoutMs)
}

async function listKeys(store: FileStore, before = new Date(Date.now() + 60_000)): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.listOld(before)) keys.push(key)
  return keys.toSorted()
}

const readText = async (store: FileStore, key = KEY) => String(await buffer(await store.read(key)))

async function listFiles(directory = ''): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

describe.each(FILE_STORES)('a file store of the kind %s', (kind) => {
  async function start() {
    const server = await startTestFileStore(kind)
    return { server, store: await openTestStore(server.url) }
  }

  test('returns the latest document that was written, also to another process, until it is deleted', async () => {
    const { server, store } = await start()
    await store.write(KEY, chunks('first'))
    await store.write(KEY, chunks('%PDF-', '1.7'))
    for (const reader of [store, await openTestStore(server.url)]) expect(await readText(reader)).toBe('%PDF-1.7')
    // s3rver mixes concurrent writes; S3 does not.
    if (kind !== 's3') await Promise.all(['a', 'b'].map((letter) => store.write(KEY, chunks(letter.repeat(500_000)))))
    expect(await readText(store)).toMatch(/^(%PDF-1.7|a{500000}|b{500000})$/)
    expect(await listKeys(store)).toEqual([KEY])
    await store.delete(KEY)
    await store.delete(KEY)
    await expect(store.read(KEY)).rejects.toMatchObject(NOT_FOUND)
    expect(await listKeys(store)).toEqual([])
  })

  test('accepts the largest document, byte for byte, and shows it only when it is complete', async () => {
    const { store } = await start()
    const written = createHash('sha256')
    const last = LIMIT_BYTES / 65_536 - 1
    async function* largest() {
      for (let n = 0; n <= last; n++) {
        const chunk = Buffer.alloc(65_536, `chunk ${n} `)
        written.update(chunk)
        yield chunk
        if (n === last) await expect(store.read(KEY)).rejects.toMatchObject(NOT_FOUND)
      }
    }
    await store.write(KEY, largest())
    const read = createHash('sha256')
    for await (const chunk of await store.read(KEY)) read.update(chunk)
    expect(read.digest('hex')).toBe(written.digest('hex'))
  })

  test('reads a document from an offset, and nothing at or behind its end', async () => {
    const { store } = await start()
    const content = randomBytes(300_000)
    await store.write(KEY, chunks(content))
    // A chunk of NATS has 131,072 bytes.
    for (const offset of [0, 1, 131_071, 131_072, 131_073, 299_999, 300_000, 300_001])
      expect(content.subarray(offset).equals(await buffer(await store.read(KEY, offset))), `${offset}`).toBe(true)
  })

  test.each([8, LARGE_BYTES])('contains nothing of an upload that fails after %i bytes', async (bytes) => {
    const { server, store } = await start()
    async function* broken() {
      yield Buffer.alloc(bytes)
      throw new Error('the client closed the connection')
    }
    await expect(store.write(KEY, broken())).rejects.toThrow('the client closed the connection')
    await expect(store.read(KEY)).rejects.toMatchObject(NOT_FOUND)
    expect(await listKeys(store)).toEqual([])
    // s3rver keeps the remains of an upload, which are not a document.
    if (kind === 'file') expect(await listFiles(server.directory)).toEqual([])
    await store.write(KEY, chunks('first'))
    await expect(store.write(KEY, broken())).rejects.toThrow('the client closed the connection')
    expect(await readText(store)).toBe('first')
  })

  test('lists documents up to a time, each once while they are deleted, and none that is a millisecond younger', async () => {
    const { store } = await start()
    // In the future: NATS also stops at the first message that was written after the time.
    const at = Date.now() + 3_600_000
    const [older, key, younger] = [uuidv7({ msecs: at - 1 }), uuidv7({ msecs: at }), uuidv7({ msecs: at + 1 })]
    const others = Array.from({ length: 20 }, () => uuidv7({ msecs: at }))
    for (const each of [`${key}-12`, younger, key, older, ...others]) await store.write(each, chunks('x'))
    expect(await listKeys(store, new Date(at - 1))).toEqual([older])
    const listed: string[] = []
    for await (const each of store.listOld(new Date(at))) {
      listed.push(each)
      await store.delete(each)
    }
    expect(listed.toSorted()).toEqual([older, key, `${key}-12`, ...others].toSorted())
    expect(await listKeys(store, new Date(at + 1))).toEqual([younger])
  })

  test('never uses a key that is not the id of a document', async () => {
    const { store } = await start()
    for (const key of ['../../../etc/passwd', '/etc/passwd', '', 'a/b', 'UPPER-CASE-KEY'])
      for (const call of [() => store.write(key, chunks('x')), () => store.read(key), () => store.delete(key)])
        await expect(call(), key).rejects.toMatchObject({ code: 'internal_error' })
  })

  test('of a process that stops is open until everything that was opened after it has closed', async () => {
    const server = await startTestFileStore(kind)
    const service = createTestProcess('files')
    const store = await openFileStore(service, server.url)
    service.onStop('upload in progress', () => store.write(KEY, chunks('last')))
    await waitFor(() => store.write(KEY, chunks('first')))
    await service.stop()
    expect(await readText(await openTestStore(server.url))).toBe('last')
  })

  test('is storage_unavailable while it is unreachable, also at the start of the process, and recovers', async () => {
    const server = await startTestFileStore(kind)
    await server.cut()
    const store = await openTestStore(server.url, SHORT_MS)
    const isAway = async () => {
      const calls = [store.write(KEY, chunks('y')), store.read(KEY), store.delete(KEY), listKeys(store)]
      await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(UNAVAILABLE)))
    }
    await isAway()
    await server.heal()
    await waitFor(() => store.write(KEY, chunks('x')))
    async function* cutOff() {
      yield Buffer.alloc(LARGE_BYTES)
      await server.cut()
      yield Buffer.alloc(LARGE_BYTES)
    }
    await expect(store.write(uuidv7(), cutOff())).rejects.toMatchObject(UNAVAILABLE)
    await isAway()
    await server.heal()
    await waitFor(async () => expect(await readText(store)).toBe('x'))
  })
})

test.each(['nats', 's3'] as const)(
  'a store of the kind %s that does not answer is storage_unavailable',
  async (kind) => {
    const server = await startTestFileStore(kind)
    const store = await openTestStore(server.url, SHORT_MS)
    await waitFor(() => store.write(KEY, chunks(Buffer.alloc(LARGE_BYTES))))
    const reading = await store.read(KEY)
    await server.hang?.()
    const calls = [
      store.write(uuidv7(), chunks('x')),
      store.write(uuidv7(), chunks(Buffer.alloc(LARGE_BYTES))),
      store.read(KEY),
      store.delete(KEY),
      listKeys(store),
    ]
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(UNAVAILABLE)))
    await server.heal()
    // A reader that has begun gets the whole document or an error.
    const outcome = await buffer(reading).then(
      ({ length }) => length,
      (error: { code: string }) => error.code,
    )
    expect([LARGE_BYTES, 'storage_unavailable']).toContain(outcome)
  },
)

test('a bucket of NATS is created when the process starts, again and again until that succeeds', async () => {
  const { url } = await startTestFileStore('nats')
  const { host, username: user, password: pass } = new URL(url)
  const connection = await connect({ servers: host, user, pass })
  onTestFinished(() => connection.close())
  const { streams } = await jetstreamManager(connection)
  await streams.add({ name: 'obstacle', subjects: ['$O.documents.>'] })
  const store = await openTestStore(url, SHORT_MS)
  await expect(store.write(KEY, chunks('x'))).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: { message: expect.stringContaining('subjects overlap') },
  })
  await streams.delete('obstacle')
  await waitFor(() => streams.info('OBJ_documents'))
})

test('a list of S3 continues after a page of 1,000 documents, also if the last one of the page was deleted', async () => {
  const { url, directory = '' } = await startTestFileStore('s3')
  const store = await openTestStore(url)
  await store.write(KEY, chunks('x'))
  const folder = join(directory, 'documents/platen')
  const keys = Array.from({ length: 1_010 }, () => uuidv7())
  for (const name of await readdir(folder))
    await Promise.all(keys.map((key) => copyFile(join(folder, name), join(folder, name.replace(KEY, key)))))
  const listed: string[] = []
  for await (const key of store.listOld(new Date(Date.now() + 60_000))) {
    listed.push(key)
    if (listed.length === 1_000) await store.delete(key)
  }
  expect(listed).toEqual([KEY, ...keys].toSorted())
})

describe('of a process that is killed during a write', () => {
  async function killWriter(url: string): Promise<void> {
    const program = new URL('killed-writer.ts', import.meta.url).pathname
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, url, uuidv7()], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const later = () => new Date(Date.now() + 15 * 60_000)

  test('nothing stays in a directory', async () => {
    const server = await startTestFileStore('file')
    const store = await openTestStore(server.url)
    await killWriter(server.url)
    expect(await listKeys(store, new Date(Date.now() - 60_000))).toEqual([])
    expect(await listFiles(server.directory)).toHaveLength(1)
    expect(await listKeys(store, later())).toEqual([])
    expect(await listFiles(server.directory)).toEqual([])
  })

  test('nothing stays in JetStream, and concurrent writes do', async () => {
    const server = await startTestFileStore('nats')
    const store = await openTestStore(server.url)
    await killWriter(server.url)
    await store.write(KEY, chunks('x'))
    const { host, username: user, password: pass } = new URL(server.url)
    const connection = await connect({ servers: host, user, pass })
    onTestFinished(() => connection.close())
    const manager = await jetstreamManager(connection)
    const countMessages = async () => (await manager.streams.info('OBJ_documents')).state.messages
    await waitFor(async () => expect(await countMessages()).toBeGreaterThan(2))
    // Data of the killed process may still be in transit.
    await waitFor(async () => {
      expect(await listKeys(store, later())).toEqual([KEY])
      expect(await countMessages()).toBe(2)
    })
    expect(await readText(store)).toBe('x')
    await store.delete(KEY)
    expect(await countMessages()).toBe(0)
  })
})

test('a directory store creates its folders again, ignores foreign files and deletes those of failed writes', async () => {
  const { directory = '', url } = await startTestFileStore('file')
  const store = await openTestStore(url)
  await store.write(KEY, chunks('x'))
  for (const folder of await readdir(directory)) await rm(join(directory, folder), { recursive: true })
  await store.write(KEY, chunks('y'))
  expect(await readText(store)).toBe('y')
  await store.delete(KEY)
  await mkdir(join(directory, '18'), { recursive: true })
  const young = `${uuidv7()}.0a1b2c3d`
  for (const name of ['notes.txt', `${KEY}.0a1b2c3d`, young, 'lost+found'])
    await writeFile(join(directory, '18', name), 'x')
  expect(await listKeys(store, new Date(KEY_TIME))).toEqual([])
  expect((await listFiles(directory)).toSorted()).toEqual([young, 'lost+found', 'notes.txt'].toSorted())
})

test('a document whose file cannot be closed, as on a full network file system, is storage_unavailable', async () => {
  const store = await openTestStore((await startTestFileStore('file')).url)
  await store.write(KEY, chunks('x'))
  const original = promises.open
  const spy = vi.spyOn(promises, 'open').mockImplementation(async (...parameters) => {
    const file = await original(...parameters)
    const { close } = file
    const closeAndFail = async () => {
      await close()
      throw Object.assign(new Error('quota exceeded'), { code: 'EDQUOT' })
    }
    return Object.assign(file, { close: closeAndFail })
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  await expect(store.write(KEY, chunks('x'))).rejects.toMatchObject(UNAVAILABLE)
})

test('a directory that cannot be created, wrong S3 credentials and a server that is not NATS are storage_unavailable', async () => {
  const port = await freePort()
  const silent = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void silent.close())
  const s3 = await startTestFileStore('s3')
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
  const urls = [pathToFileURL('/dev/null/nowhere').href, s3.url, `nats://127.0.0.1:${port}/documents`]
  for (const url of urls)
    await expect((await openTestStore(url, SHORT_MS)).write(KEY, chunks('x')), url).rejects.toMatchObject(UNAVAILABLE)
})

test.each([
  ['ftp://host/files', /file:.*nats:.*s3:/],
  ['s3:///prefix', /needs a bucket/],
  ['s3://key:secret@bucket', /must not contain credentials/],
  ['s3://bucket?endpoint=localhost', /endpoint/],
  ['s3://bucket?regoin=eu', /regoin.*region, endpoint/],
  ['nats://host:4222', /bucket/],
  ['nats://token-value@host:4222/a.b', /bucket/],
  ['nats://host:4222/documents?replicas=6', /replicas/],
])('the URL %s is refused at the start, with the reason and without its secrets', async (url, reason) => {
  const refusal = await openTestStore(url).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ConfigError)
  const { message } = refusal as ConfigError
  expect(message).toMatch(reason)
  expect(message).toMatch(/^PLATEN_FILE_STORE_URL/)
  expect(message).not.toMatch(/secret|token-value/)
})
