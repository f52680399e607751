import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { freePort } from '../harness/free-port.ts'
import { makePdf } from '../harness/pdf.ts'
import { isAlive, makeDataDir, type Platen, removeDataDir, StartFailed, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

/** For the tests that leave it as it is. */
let platen: Platen
/** Those that a test started for itself. */
const running: Platen[] = []

beforeAll(async () => {
  platen = await startPlaten()
})

afterAll(async () => {
  await platen?.stop()
  await removeDataDir(platen.dataDir)
})

afterEach(async () => {
  const ended = running.splice(0)
  for (const each of ended) await each.stop()
  // Two may have had one directory, one after the other.
  for (const { dataDir } of ended) await removeDataDir(dataDir)
})

async function start(options: Parameters<typeof startPlaten>[0] = {}): Promise<Platen> {
  const started = await startPlaten(options)
  running.push(started)
  return started
}

async function print({ api }: Platen, title: string) {
  const { id } = await api.printer('Test A4 Laser')
  const content = makePdf(title).toString('base64')
  return await api.createJob({ printerId: id, title, contentType: 'pdf_base64', content })
}

test('it says where it is, shows both keys, and keeps the credentials for their owner alone', async () => {
  const { baseUrl, testKey, liveKey } = platen.credentials
  expect(platen.output()).toContain(`Platen is ready: ${baseUrl}\n`)
  expect(platen.output()).toContain(testKey)
  expect(platen.output()).toContain(liveKey)
  const file = join(platen.dataDir, 'credentials.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const fields = Object.keys(JSON.parse(await readFile(file, 'utf8')))
  expect(fields.sort()).toEqual(['agentUrl', 'baseUrl', 'liveKey', 'organizationId', 'testKey'])
})

test('the curl line that it prints, pasted into a shell, prints a PDF', async () => {
  const { execFileSync } = await import('node:child_process')
  const [line] = platen.output().match(/curl [\s\S]*$/) ?? []
  const answer = JSON.parse(execFileSync('sh', ['-c', line?.trim() ?? '']).toString())
  expect(answer).toMatchObject({ state: 'queued', contentType: 'pdf_base64' })
  expect((await platen.api.waitUntilFinal(answer.id)).state).toBe('done')
})

test('two instances run side by side and know nothing of each other', async () => {
  const second = await start()
  const job = await print(platen, 'Mine')
  expect((await platen.api.waitUntilFinal(job.id)).state).toBe('done')
  const stranger = createApi(second.credentials.baseUrl, platen.credentials.testKey)
  expect((await stranger.get('/v1/whoami')).status).toBe(401)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends every process, and the next start has all the data',
  async (signal) => {
    const dataDir = await makeDataDir()
    const first = await start({ dataDir })
    const job = await print(first, 'Kept')
    await first.api.waitUntilFinal(job.id)
    const pids = await first.allPids()
    expect(await first.stop(signal)).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])

    const second = await start({ dataDir })
    expect(second.credentials.testKey).toBe(first.credentials.testKey)
    expect(await second.api.getJob(job.id)).toMatchObject({ state: 'done', title: 'Kept' })
    const next = await print(second, 'Next')
    expect((await second.api.waitUntilFinal(next.id)).state).toBe('done')
  },
)

test('a kill -9 leaves nothing that lives on or blocks the next start, and no accepted job is lost', async () => {
  const dataDir = await makeDataDir()
  const first = await start({ dataDir })
  const jobs = await Promise.all(Array.from({ length: 10 }, (_, n) => print(first, `Job ${n}`)))
  const pids = await first.allPids()
  await first.stop('SIGKILL')
  // Services give themselves 8 s, PostgreSQL 20.
  await waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000)

  const second = await start({ dataDir })
  // What was on its way may wait for a resend, after 60 s.
  for (const { id } of jobs) expect((await second.api.waitUntilFinal(id, 90_000)).state).toBe('done')
})

test('a second start on the data of a running one is refused in one sentence', async () => {
  const refused = startPlaten({ dataDir: platen.dataDir })
  await expect(refused).rejects.toBeInstanceOf(StartFailed)
  await expect(refused).rejects.toMatchObject({ output: expect.stringMatching(/already/) })
  expect((await platen.api.get('/v1/whoami')).status).toBe(200)
})

test.each(['PLATEN_PORT', 'PLATEN_AGENT_PORT'])(
  'a port in use is named with its setting, %s, and nothing is left running',
  async (name) => {
    const port = await freePort()
    const other = createServer().listen(port)
    await once(other, 'listening')
    try {
      const failure = await startPlaten({ env: { [name]: String(port) } }).catch(
        (error: unknown) => error as StartFailed,
      )
      expect(failure).toBeInstanceOf(StartFailed)
      const { exitCode, output } = failure as StartFailed
      expect(exitCode).not.toBe(0)
      expect(output).toContain(name)
      expect(output).toContain(String(port))
      expect(output).not.toContain('    at ')
    } finally {
      other.close()
    }
  },
)
