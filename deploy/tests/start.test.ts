import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/harness/free-port.ts'
import { samplePdf } from '../first-print.ts'
import { launch } from '../launch.ts'
import { writePrivateJson } from '../private-file.ts'
import { identify } from '../process-identity.ts'
import { openSecrets } from '../secrets.ts'
import { readSettings } from '../settings.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const never = new AbortController().signal

async function environment(more: NodeJS.ProcessEnv = {}) {
  const directory = await temporaryDirectory()
  return {
    PLATEN_PORT: `${await freePort()}`,
    PLATEN_AGENT_PORT: `${await freePort()}`,
    PLATEN_DATA_DIR: directory,
    ...more,
  }
}

async function listen(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('every bad setting is named at once', () => {
  const bad = { PLATEN_PORT: '65536', PLATEN_AGENT_PORT: 'http', PLATEN_HOST: 'a b', PLATEN_LOG_LEVEL: 'loud' }
  for (const name of Object.keys(bad)) expect(() => readSettings(bad)).toThrow(name)
})

test('ports reach from 1 to 65535, and the two differ', () => {
  expect(readSettings({ PLATEN_PORT: '1', PLATEN_AGENT_PORT: '65535' })).toMatchObject({ port: 1, agentPort: 65535 })
  expect(() => readSettings({ PLATEN_PORT: '0' })).toThrow('PLATEN_PORT')
  expect(() => readSettings({ PLATEN_PORT: '8090' })).toThrow('PLATEN_AGENT_PORT: must differ')
})

test.each([
  [undefined, 'http://localhost:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['print.example.org', 'http://print.example.org:8080'],
  ['fd00::1', 'http://[fd00::1]:8080'],
])('with the host %s it is reached at %s', (host, baseUrl) => {
  expect(readSettings({ PLATEN_HOST: host }).baseUrl).toBe(baseUrl)
})

test.each(['PLATEN_PORT', 'PLATEN_AGENT_PORT'])(
  'a taken port is refused before anything is started: %s',
  async (name) => {
    const env = await environment({ [name]: String(await listen()) })
    await expect(launch(env, never)).rejects.toThrow(new RegExp(`^Port \\d+ is in use .*${name}=`))
    expect(await readdir(env.PLATEN_DATA_DIR)).not.toContain('run.json')
  },
)

test('a data directory that cannot be one is refused in a sentence', async () => {
  const env = await environment({ PLATEN_DATA_DIR: '/dev/null/data' })
  await expect(launch(env, never)).rejects.toThrow(
    /^The data directory \/dev\/null\/data cannot be used .*PLATEN_DATA_DIR/,
  )
})

test('a second start on the same data is refused while the first lives', async () => {
  const env = await environment()
  const identities = { [process.pid]: identify(process.pid) }
  writePrivateJson(join(env.PLATEN_DATA_DIR, 'run.json'), { pid: process.pid, processes: {}, ports: {}, identities })
  await expect(launch(env, never)).rejects.toThrow(/^Platen is already running/)
})

test('a pid that meanwhile is another process is not taken for a previous run', async () => {
  const taken = await listen()
  const env = await environment({ PLATEN_PORT: String(taken) })
  const record = { pid: process.pid, processes: { postgres: process.ppid }, ports: {}, identities: {} }
  const identities = { [process.pid]: 'another', [process.ppid]: 'another' }
  writePrivateJson(join(env.PLATEN_DATA_DIR, 'run.json'), { ...record, identities })
  await expect(launch(env, never)).rejects.toThrow(`Port ${taken} is in use`)
})

test('secrets are made once, are different, and are for their owner alone', async () => {
  const file = join(await temporaryDirectory(), 'secrets.json')
  const secrets = await openSecrets(file)
  expect(await openSecrets(file)).toEqual(secrets)
  expect(new Set(Object.values(secrets)).size).toBe(5)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the page that the first print prints is a PDF whose table says where its objects are', () => {
  const pdf = samplePdf('Hello').toString('latin1')
  const table = pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]))
  const offsets = [...table.matchAll(/(\d{10}) 00000 n/g)].map((row) => Number(row[1]))
  expect(pdf.startsWith('%PDF-')).toBe(true)
  expect(offsets.map((offset, index) => pdf.startsWith(`${index + 1} 0 obj`, offset))).toEqual(Array(5).fill(true))
})
