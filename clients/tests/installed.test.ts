/**
 * The walk of an integrator who knows only the address and a key of an installation that `npm start` has started: an
 * empty folder, an empty home.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasPython } from '../python/tools.ts'

/** The packages are built after the documentation. */
const BUILD_LIMIT_MS = 120_000
const INSTALL_LIMIT_MS = 120_000
const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`
const BODY = JSON.stringify({ id: '1', type: 'printjob.done', data: { id: '2' } })

interface List {
  packages: { client: string; install: string }[]
}

const { baseUrl } = installation.credentials
const canInstall = await hasPython()
/** The lines that install the clients, by client, as the installation shows them. */
const lines: Record<string, string> = {}
let home: string
let key: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'platen-integrator-'))
  await waitFor(async () => {
    const { packages } = (await (await fetch(`${baseUrl}/clients/`)).json()) as List
    for (const { client, install } of packages) lines[client] = install
    expect(Object.keys(lines).toSorted()).toEqual(['cli', 'python', 'typescript'])
  }, BUILD_LIMIT_MS)
  key = (await newOrganization()).testApi.key
  return () => rm(home, { recursive: true })
}, BUILD_LIMIT_MS)

/** A new folder with a document, and a shell in it. */
async function enter(name: string, env: NodeJS.ProcessEnv = {}) {
  const folder = join(home, name)
  await mkdir(folder)
  await writeFile(join(folder, 'invoice.pdf'), PDF)
  const shellEnv = { PATH: process.env.PATH, HOME: home, npm_config_audit: 'false', npm_config_fund: 'false', ...env }
  return {
    folder,
    run: (command: string) => promisify(execFile)('sh', ['-ec', command], { cwd: folder, env: shellEnv }),
  }
}

function signWebhook() {
  const now = new Date()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return { timestamp, signature: new Webhook(SECRET).sign('1', now, BODY) }
}

const toHeaders = ({ timestamp, signature }: ReturnType<typeof signWebhook>) =>
  JSON.stringify({ 'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': signature })

describe.concurrent('from the address of an installation', () => {
  test('npx runs the command line: login, print, list, show, verify', { timeout: INSTALL_LIMIT_MS }, async () => {
    const { folder, run } = await enter('cli')
    const platen = `npx --yes ${lines.cli?.split(' ').at(-1)}`
    // The address as a browser shows it.
    await run(`echo ${key} | ${platen} login --server ${new URL(baseUrl).host}/app --key-file -`)
    const printed = await run(`${platen} print invoice.pdf -d "Test A4 Laser" --wait`)
    expect(printed.stderr).toMatch(/done *\n.*Printed/)
    const [number] = (await run(`${platen} jobs list -l 1`)).stdout.split('\t')
    const shown = await run(`${platen} jobs show ${number}`)
    expect(shown.stdout).toContain(`id\t${printed.stdout.trim()}\n`)
    const { timestamp, signature } = signWebhook()
    await writeFile(join(folder, 'body.json'), BODY)
    const verify = `webhooks verify body.json --id 1 --timestamp ${timestamp} --signature ${signature}`
    expect((await run(`WEBHOOK_SECRET=${SECRET} ${platen} ${verify}`)).stdout).toBe('printjob.done\t1\n')
  })

  test('npm installs the command line for all folders', { timeout: INSTALL_LIMIT_MS }, async () => {
    const { folder, run } = await enter('global')
    await run(`${lines.cli} --prefix '${folder}'`)
    expect((await run(`'${folder}/bin/platen' --version`)).stdout).toMatch(/^\d+\.\d+\.\d+/)
  })

  test('npm installs the library, which prints and verifies a webhook', { timeout: INSTALL_LIMIT_MS }, async () => {
    const { folder, run } = await enter('typescript', { PLATEN_URL: baseUrl, PLATEN_KEY: key })
    await run(String(lines.typescript))
    const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
    expect(packages['node_modules/@platen/sdk'].resolved).toMatch(`${baseUrl}/clients/`)
    await writeFile(
      join(folder, 'print.mjs'),
      `import { createReadStream } from 'node:fs'
import { Platen, verifyWebhook } from '@platen/sdk'
const platen = new Platen()
const job = await platen.printJobs.create({ printer: 'Test A4 Laser', title: 'a', file: createReadStream('invoice.pdf') })
const { type } = await verifyWebhook('${BODY}', ${toHeaders(signWebhook())}, '${SECRET}')
console.log((await job.wait()).state, type)`,
    )
    expect((await run('node print.mjs')).stdout).toBe('done printjob.done\n')
  })

  test.skipIf(!canInstall)(
    'pip installs the library, which prints and verifies a webhook',
    { timeout: INSTALL_LIMIT_MS },
    async () => {
      const { folder, run } = await enter('python', { PLATEN_URL: baseUrl, PLATEN_KEY: key })
      await run(`python3 -m venv venv && . venv/bin/activate && ${lines.python}`)
      await writeFile(
        join(folder, 'print.py'),
        `from platen_print import Platen, verify_webhook
platen = Platen()
job = platen.print_jobs.create(printer="Test A4 Laser", title="a", file="invoice.pdf")
event = verify_webhook('${BODY}', ${toHeaders(signWebhook())}, '${SECRET}')
print(job.wait().state, event.raw["type"])`,
      )
      expect((await run('venv/bin/python print.py')).stdout).toBe('done printjob.done\n')
    },
  )
})
