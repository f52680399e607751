import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

const root = join(import.meta.dirname, '../..')

function npmRun(platen: Platen, ...args: string[]) {
  const env = { ...process.env, PLATEN_DATA_DIR: platen.dataDir }
  return spawnSync('npm', ['run', ...args], { cwd: root, env, encoding: 'utf8', shell: process.platform === 'win32' })
}

test('with `npm run -s admin` an organization and its keys are made that work at once, the test one with its printers, until one is revoked', async () => {
  const platen = await startPlaten()
  onTestFinished(async () => {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  })
  const admin = (...args: string[]) => JSON.parse(npmRun(platen, '-s', 'admin', '--', ...args).stdout)
  const organization = admin('orgs', 'create', 'Corner shop')
  const { id, key, prefix } = admin('keys', 'create', '--org', organization.id, '--mode', 'live', '--scopes', 'read')
  const api = createApi(platen.credentials.baseUrl, key)
  const { status, body } = await api.get('/v1/whoami')
  expect([status, body]).toMatchObject([200, { organization, mode: 'live', apiKey: { id, prefix, scopes: ['read'] } }])
  expect((await api.get('/v1/printers')).body.data).toEqual([])

  const testKey = admin('keys', 'create', '--org', organization.id, '--mode', 'test', '--scopes', 'read,print')
  const testApi = createApi(platen.credentials.baseUrl, testKey.key)
  const printers = (await testApi.get('/v1/printers')).body.data
  expect(printers.map(({ state }: { state: string }) => state)).toEqual(['online', 'online', 'online', 'online'])
  const content = makePdf('Hello').toString('base64')
  const facts = { printerId: printers[0].id, title: 'Hello', contentType: 'pdf_base64', content }
  expect(await testApi.waitUntilFinal((await testApi.createJob(facts)).id)).toMatchObject({ state: 'done' })
  expect((await api.get('/v1/printers')).body.data).toEqual([])

  expect(admin('keys', 'revoke', id)).toMatchObject({ id })
  await waitFor(async () => expect((await api.get('/v1/whoami')).status).toBe(401))
  expect(admin('keys', 'list', '--org', organization.id).data).toMatchObject([
    { id: testKey.id },
    { id, prefix, lastFour: key.slice(-4) },
  ])

  // Without `-s` npm says first what it runs; the answer is the last line.
  const { stdout } = npmRun(platen, 'admin', '--', 'orgs', 'list')
  const { data } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(data).toContainEqual(expect.objectContaining(organization))
  const refused = npmRun(platen, '-s', 'admin', '--', 'keys', 'revoke', 'till')
  expect([refused.status, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr.trimEnd().split('\n').at(-1)).toBe('There is no API key with this id.')
})
