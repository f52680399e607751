import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../config.ts'
import { startRunningGateway } from './start-gateway.ts'

const FILES = ['platen-sdk-1.2.3.tgz', 'platen-cli-1.2.3.tgz', 'platen_print-1.2.3-py3-none-any.whl']
const SHA256 = createHash('sha256').update('package').digest('hex')

async function serve(config: Partial<Config> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-clients-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of FILES) await writeFile(join(directory, name), 'package')
  await writeFile(join(directory, 'SHA256SUMS'), FILES.map((name) => `${SHA256}  ${name}\n`).join(''))
  const { url } = await startRunningGateway({ clientPackagesDirectory: directory, ...config })
  return { directory, url, get: (path: string, headers = {}) => fetch(url + path, { headers }) }
}

const readMessage = async (response: Promise<Response>) =>
  ((await (await response).json()) as { error: { message: string } }).error.message

test('the clients are listed with the lines that install them from the address of the request, or from that of the installation', async () => {
  proves('convention.public.clients')
  const lines = async ({ url, get }: Awaited<ReturnType<typeof serve>>) => {
    const list = (await (await get('/clients')).json()) as { packages: { client: string; install: string }[] }
    expect(list).toMatchObject({ version: '1.2.3', isSigned: false })
    for (const one of list.packages) expect(one).toMatchObject({ sizeBytes: 7, sha256: SHA256 })
    return list.packages.map(({ client, install }) => [client, install.replace(url, 'URL')])
  }
  expect(await lines(await serve())).toEqual([
    ['typescript', 'npm install URL/clients/platen-sdk-1.2.3.tgz'],
    ['cli', 'npm install --global URL/clients/platen-cli-1.2.3.tgz'],
    ['python', 'pip install URL/clients/platen_print-1.2.3-py3-none-any.whl'],
  ])
  const known = await lines(await serve({ publicUrl: 'https://print.example.com' }))
  expect(known[0]).toEqual(['typescript', 'npm install https://print.example.com/clients/platen-sdk-1.2.3.tgz'])
})

test('a file of the list is sent without a key, the one of another version is not found and the present version is named', async () => {
  proves('convention.public.clients.file')
  const { directory, get } = await serve()
  await writeFile(join(directory, 'unlisted.tgz'), 'secret')
  const sent = await get(`/clients/${FILES[0]}`)
  expect([sent.status, await sent.text(), sent.headers.get('etag')]).toEqual([200, 'package', `"${SHA256}"`])
  expect(await (await get('/clients/SHA256SUMS')).text()).toContain(`${SHA256}  ${FILES[2]}`)
  for (const name of ['platen-sdk-1.2.2.tgz', 'unlisted.tgz', '..%2fsecret', 'SHA256SUMS.minisig']) {
    const missing = await get(`/clients/${name}`)
    expect([name, missing.status]).toEqual([name, 404])
    expect(await missing.text()).not.toContain('secret"')
  }
  expect(await readMessage(get('/clients/platen-sdk-1.2.2.tgz'))).toContain('has the clients of version 1.2.3')
})

test('an installation without clients says where they come from', async () => {
  const { get } = await serve({ clientPackagesDirectory: undefined })
  expect(await (await get('/clients/')).json()).toEqual({ version: null, isSigned: false, packages: [] })
  expect(await readMessage(get('/clients/platen-sdk-1.2.3.tgz'))).toMatch(
    /`npm start` builds them .* `PLATEN_CLIENT_PACKAGES_DIR`/,
  )
})

test('an address has the rate limit of a key for the clients', async () => {
  proves('convention.public.clients.limit')
  const { get } = await serve({ rateLimitPerSecond: 2 })
  for (const path of ['/clients/', `/clients/${FILES[0]}`]) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(path)))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit-limit'), path).toBe('2')
  }
})
