import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { removeUnfinished, toUnfinished } from '@platen/runtime/packages.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startRunningGateway } from './start-gateway.ts'

const DEB = 'platen-agent-1.2.3-linux-x64.deb'
const toSha256 = (content: string) => createHash('sha256').update(content).digest('hex')

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-agents-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** Writes the files and a list of them. */
async function write(directory: string, files: Record<string, string>, list = Object.keys(files)): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
  const lines = list.map((name) => `${toSha256(files[name] ?? '')}  ${name}\n`)
  await writeFile(join(directory, 'SHA256SUMS'), lines.join(''))
}

/** @returns a function that gets a path as it is, which `fetch` would normalize. */
async function serve(directory: string | undefined, limits = {}) {
  const { url } = await startRunningGateway({ agentPackagesDirectory: directory, ...limits })
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers, method }, resolve).once('error', reject).end()
    const response = await promise
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
}

test('the packages of the agent are listed with their checksums, also those that are added later', async () => {
  proves('convention.public.agents')
  const directory = await makeDirectory()
  const get = await serve(directory)
  const none = { version: null, isSigned: false, building: null, packages: [] }
  expect(JSON.parse((await get('/agents/')).body)).toEqual(none)
  await write(directory, { [DEB]: 'package', 'install.sh': '#!/bin/sh\n' })
  await writeFile(join(directory, 'SHA256SUMS.minisig'), 'signature')
  const deb = {
    file: DEB,
    platform: 'linux',
    architecture: 'x64',
    format: 'deb',
    sizeBytes: 7,
    sha256: toSha256('package'),
  }
  const one = { version: '1.2.3', isSigned: true, building: null, packages: [deb] }
  expect(JSON.parse((await get('/agents/')).body)).toEqual(one)
  // A list with two versions is a mistake of the operator.
  await write(directory, { [DEB]: 'package', 'platen-agent-1.2.4-linux-x64.tar.gz': 'package' })
  expect(JSON.parse((await get('/agents/')).body)).toMatchObject({ version: null, packages: [] })
})

test('a build that is under way is shown with the number of its files, until its process has ended', async () => {
  proves('convention.public.agents.building')
  const parent = await makeDirectory()
  const directory = join(parent, 'agent')
  const get = await serve(directory)
  const getBuilding = async () => JSON.parse((await get('/agents/')).body).building
  const killed = toUnfinished(directory, await getEndedPid())
  await mkdir(killed)
  expect(await getBuilding()).toBeNull()
  const running = toUnfinished(directory, process.pid)
  await mkdir(running)
  expect(await getBuilding()).toBe(0)
  await writeFile(join(running, DEB), 'package')
  expect(await getBuilding()).toBe(1)
  await removeUnfinished(directory)
  expect(await readdir(parent)).toEqual([basename(running)])
})

async function getEndedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid as number
}

test('a file of the list is sent with its checksum as ETag, scripts and lists as text', async () => {
  proves('convention.public.agents.file')
  const directory = await makeDirectory()
  await write(directory, { [DEB]: 'package', 'install.sh': '#!/bin/sh\n' })
  const get = await serve(directory)
  const { status, headers, body } = await get(`/agents/${DEB}`)
  expect([status, headers['content-type'], headers['content-length'], headers.etag, body]).toEqual([
    200,
    'application/octet-stream',
    '7',
    `"${toSha256('package')}"`,
    'package',
  ])
  expect((await get(`/agents/${DEB}`, { 'if-none-match': String(headers.etag) })).status).toBe(304)
  expect(await get(`/agents/${DEB}`, {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  for (const name of ['install.sh', 'SHA256SUMS'])
    expect((await get(`/agents/${name}`)).headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('only files of the list are sent, and none outside of the directory', async () => {
  const directory = await makeDirectory()
  const outside = await makeDirectory()
  await writeFile(join(outside, 'secret'), 'secret')
  await write(directory, { [DEB]: 'package', unlisted: 'secret' }, [DEB, '../secret', '.hidden'])
  await writeFile(join(directory, '.hidden'), 'secret')
  const get = await serve(directory)
  const names = [
    'unlisted',
    '.hidden',
    '../secret',
    '..%2fsecret',
    '..%5csecret',
    '%2e%2e/secret',
    '%00',
    'SHA256SUMS.minisig',
  ]
  for (const name of names) {
    const { status, body } = await get(`/agents/${name}`)
    expect([name, status]).toEqual([name, 404])
    expect(body).not.toContain('secret"')
  }
  await symlink(outside, join(directory, 'folder'))
  expect((await get('/agents/folder/secret')).status).toBe(404)
})

test('without a directory of packages the list is empty', async () => {
  const get = await serve(undefined)
  const none = { version: null, isSigned: false, building: null, packages: [] }
  expect(JSON.parse((await get('/agents/')).body)).toEqual(none)
  const missing = await get('/agents/install.sh')
  expect([missing.status, JSON.parse(missing.body).error.message]).toEqual([
    404,
    expect.stringMatching(/offers no packages .* `npm run package:agent`/),
  ])
})

test('an address has the rate limit of a key', async () => {
  proves('convention.public.agents.limit')
  const directory = await makeDirectory()
  await write(directory, { [DEB]: 'package' })
  const get = await serve(directory, { rateLimitPerSecond: 2 })
  for (const path of ['/agents/', `/agents/${DEB}`]) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(path)))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers, path).toMatchObject({ 'retry-after': '1', 'ratelimit-limit': '2' })
  }
})
