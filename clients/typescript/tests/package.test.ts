/** The package as users install it: into an empty folder, from the tarball. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageSdk } from '../../package-clients.ts'

const ROOT = join(import.meta.dirname, '../../..')
const BIN = join(ROOT, 'node_modules/.bin')
const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const PROGRAMS = [...readme.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```js\n([\s\S]*?)^```/gm)]

let dir: string
let tarball: string
let env: NodeJS.ProcessEnv

const toEnvironment = (key: string) => ({
  ...process.env,
  PLATEN_URL: installation.credentials.baseUrl,
  PLATEN_KEY: key,
})
const run = async (program: string, ...args: string[]) =>
  (await promisify(execFile)(program, args, { cwd: dir, env })).stdout
const write = (name: string, text: string | Buffer) => writeFile(join(dir, name), text)

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'platen-sdk-'))
  tarball = await packageSdk(dir)
  await write('package.json', '{}')
  await write('document.pdf', PDF)
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball)
  const { testApi } = await newOrganization()
  env = toEnvironment(testApi.key)
}, 120_000)
afterAll(() => rm(dir, { recursive: true }))

test('the package installs nothing beside itself', async () => {
  const installed = JSON.parse(await readFile(join(dir, 'package-lock.json'), 'utf8'))
  expect(Object.keys(installed.packages)).toEqual(['', 'node_modules/@platen/sdk'])
})

test('an ESM program imports the package, a CommonJS program requires it', async () => {
  await write('import.mjs', "import { Platen } from '@platen/sdk'\nconsole.log(typeof Platen)")
  await write('require.cjs', "const { Platen } = require('@platen/sdk')\nconsole.log(typeof Platen)")
  expect(await Promise.all([run('node', 'import.mjs'), run('node', 'require.cjs')])).toEqual([
    'function\n',
    'function\n',
  ])
})

test('a strict TypeScript program has the types of all resources, with the libraries of Node alone', async () => {
  await write(
    'consumer.ts',
    `import { createReadStream } from 'node:fs'
import { type Event, Platen, verifyWebhook } from '@platen/sdk'
const platen = new Platen({ apiKey: 'a', baseUrl: 'http://localhost' })
const job = await platen.printJobs.create({ printer: 1, title: 'a', file: new Blob([]), options: { copies: 2 } })
export const state: 'done' | 'error' | undefined = job.state === 'done' || job.state === 'error' ? job.state : undefined
for await (const printer of platen.printers.list({ limit: 10 })) console.log(printer.displayName.length)
for await (const event of platen.events.follow({ type: ['printjob.*'] })) show(event)
function show(event: Event) {
  if (event.type === 'computer.online') console.log(event.data.hostname)
  if (event.type === 'printjob.done') console.log(event.data.title)
}
show(await verifyWebhook('{}', { 'webhook-id': '1' }, 'whsec_'))
const pdfLib = { save: async (): Promise<Uint8Array> => new Uint8Array() }
const documents = [await pdfLib.save(), createReadStream('a.pdf'), Buffer.from('a'), new Uint8Array().buffer]
for (const file of documents) await platen.printJobs.create({ printer: 1, title: 'a', file })
const { body } = await fetch('http://localhost/a.pdf')
if (body) await platen.printJobs.create({ printer: 1, title: 'a', file: body })
// @ts-expect-error a required field is missing
await platen.printJobs.create({ printer: 1 })
// @ts-expect-error a text is no document
await platen.printJobs.create({ printer: 1, title: 'a', file: './document.pdf' })
// @ts-expect-error there is no such state
platen.printJobs.list({ state: ['finished'] })
`,
  )
  const types = join(ROOT, 'node_modules/@types')
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022']
  await write('package.json', '{ "type": "module" }')
  const check = (file: string) => run(join(BIN, 'tsc'), ...options, '--typeRoots', types, '--types', 'node', file)
  expect(await check('consumer.ts')).toBe('')
  await write(
    'consumer.cts',
    `import { type Event, Platen } from '@platen/sdk'
export const show = async (event: Event) => console.log(event.id, await new Platen().whoami())
`,
  )
  expect(await check('consumer.cts')).toBe('')
})

test('publint and arethetypeswrong find no fault', async () => {
  const lint = run(join(BIN, 'publint'), 'run', tarball, '--strict')
  const types = run(join(BIN, 'attw'), tarball, '--profile', 'esm-only', '--format', 'ascii')
  expect(await lint).toContain('All good')
  // Older module resolutions cannot load any ESM package. A fault of another one is an exit code.
  expect(await types).toMatch(/node16 \(from ESM\): 🟢 \(ESM\)\s+bundler: 🟢/)
})

test('a file of 25 MB is uploaded without being held in memory', async () => {
  await write('large.bin', Buffer.alloc(25 * 1024 * 1024, '\x1b@label '))
  await write(
    'upload.mjs',
    `import { openAsBlob } from 'node:fs'
import { Platen } from '@platen/sdk'
const file = await openAsBlob('large.bin')
const job = await new Platen().printJobs.create({ printer: 'Test Receipt 80mm', title: 'Large', file })
console.log(JSON.stringify({ sizeBytes: job.fileSize, rssBytes: process.resourceUsage().maxRSS * 1024 }))`,
  )
  const { sizeBytes, rssBytes } = JSON.parse(await run('node', 'upload.mjs'))
  expect(sizeBytes).toBe(25 * 1024 * 1024)
  // Node itself and one read take 108 to 116 MB.
  expect(rssBytes).toBeLessThan(130 * 1024 * 1024)
  console.log(`25 MB were uploaded with ${Math.round(rssBytes / 1024 / 1024)} MB of memory`)
})

describe('the program of the README', () => {
  test('has a test for each', () => {
    expect(PROGRAMS.map(([, title]) => title)).toEqual([...OUTPUTS.map(([title]) => title), 'Webhooks'])
  })

  const OUTPUTS: [title: string, output: RegExp][] = [
    ['Print a page', /^done Printed\S* .+/],
    ['What is repeated', /^true$/],
    [
      'Errors',
      /^No printer has the name "No such printer"\. Choose one of: .*"Test A4 Laser" \(.*\ntrue not_cancellable$/s,
    ],
    ['Lists and events', /^Test .*\n\d+\nprintjob\.(queued|done) .+ \S+$/s],
  ]

  test.concurrent.each(OUTPUTS)('%s', async (title, output) => {
    const [, , program = ''] = PROGRAMS.find(([, found]) => found === title) ?? []
    const name = `${title.replaceAll(' ', '-')}.mjs`
    await write(name, program)
    expect((await run('node', name)).trim()).toMatch(output)
  })

  test('Webhooks', async ({ onTestFinished }) => {
    const [, , program = ''] = PROGRAMS.find(([, title]) => title === 'Webhooks') ?? []
    await write('receive.mjs', program)
    const [secret, port] = ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', String(await freePort())]
    const receiver: ChildProcess = spawn('node', ['receive.mjs'], {
      cwd: dir,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: port },
    })
    onTestFinished(() => void receiver.kill())
    const body = JSON.stringify({ id: '1', type: 'printjob.done', data: { id: '2' } })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = `v1,${createHmac('sha256', key).update(`1.${timestamp}.${body}`).digest('base64')}`
    const headers = { 'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    const post = async (sent: string) =>
      (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent, headers })).status
    await waitFor(async () => expect(await post(body)).toBe(204))
    expect(await post(body.replace('done', 'gone'))).toBe(401)
  })
})
