/**
 * The recipes of programs that integrators install: docs/recipes/automation.md. Installs each program in a temporary
 * directory, which takes minutes, so only `npm run test:long -- recipes` runs it.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { findDatabaseUrl } from '../database-url.ts'
import { installation, newOrganization, PDF } from '../installation.ts'

const PAGE = readFileSync(new URL('../../../docs/recipes/automation.md', import.meta.url), 'utf8')
const PAGE_ADDRESS = 'https://print.example.com'
const PAGE_PRINTER = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The last one whose packages all registries have. */
const N8N = 'n8n@2.40.7'
/** The last one for Python 3.11. */
const HOME_ASSISTANT = 'homeassistant==2024.3.3'

const INSTALL_TIMEOUT_MS = 900_000
const automationTest = test.skipIf(!process.env.PLATEN_TEST_AUTOMATION)
const run = promisify(execFile)

/** @returns the first block of the language below the title, for the printer of this installation. */
function readRecipe(title: string, language: string, printerId: string): string {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`)
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(section) ?? []
  for (const part of [PAGE_ADDRESS, PAGE_PRINTER]) expect(code).toContain(part)
  return code.replace(PAGE_ADDRESS, installation.credentials.baseUrl).replace(PAGE_PRINTER, printerId)
}

async function makeDirectory({ onTestFinished }: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-automation-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Skips the test with the reason if the registry lacks a package or the program is missing. */
async function install(context: TestContext, program: string, args: string[]): Promise<void> {
  try {
    await run(program, args, { timeout: INSTALL_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    const reason = /^.*(ETARGET|E404|notarget|No matching distribution|Could not find a version).*$/m.exec(stderr)?.[0]
    if (code === 'ENOENT' || reason)
      context.skip(`${program} cannot install ${args.at(-1)}: ${reason ?? 'it is missing'}`)
    throw error
  }
}

const setUp = async (printerName: string) => {
  const { testApi } = await newOrganization()
  return { testApi, printer: await testApi.printer(printerName) }
}

automationTest(
  'the recipe of n8n prints each file of an execution once',
  { timeout: INSTALL_TIMEOUT_MS },
  async (context) => {
    const directory = await makeDirectory(context)
    await install(context, 'npm', [
      'install',
      '--prefix',
      directory,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      N8N,
    ])
    const { testApi, printer } = await setUp('Test A4 Laser')
    const files = join(directory, 'files')
    await mkdir(files)
    for (const name of ['invoice.pdf', 'note.pdf']) await writeFile(join(files, name), PDF)
    const flow = toWorkflow(readRecipe('n8n', 'json', printer.id), join(files, '*.pdf'))
    await writeFile(join(directory, 'flow.json'), JSON.stringify(flow))
    const key = { id: CREDENTIAL, name: 'Platen', type: 'httpBearerAuth', data: { token: testApi.key } }
    await writeFile(join(directory, 'key.json'), JSON.stringify([key]))
    const n8n = await openN8n(context, directory, files)
    await n8n('import:credentials', `--input=${join(directory, 'key.json')}`)
    await n8n('import:workflow', `--input=${join(directory, 'flow.json')}`)
    await n8n('execute', `--id=${flow.id}`)
    const { data } = (await testApi.get('/v1/printjobs')).body
    expect(data.map(({ title }: { title: string }) => title).toSorted()).toEqual(['invoice.pdf', 'note.pdf'])
    for (const { id } of data) expect((await testApi.waitUntilFinal(id)).state).toBe('done')
  },
)

const CREDENTIAL = 'platenkey0000001'

/** @param nodes as the page has them. @returns a workflow that reads files and gives each of them to the first node. */
function toWorkflow(nodes: string, fileSelector: string) {
  const print = JSON.parse(nodes).nodes[0]
  const node = (name: string, type: string, parameters: object) => ({
    ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0], parameters },
  })
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] })
  return {
    id: 'platenprint00001',
    name: 'Print',
    active: false,
    settings: {},
    nodes: [
      node('Start', 'manualTrigger', {}),
      node('Read', 'readWriteFile', { fileSelector, options: { dataPropertyName: 'data' } }),
      { ...print, credentials: { httpBearerAuth: { id: CREDENTIAL, name: 'Platen' } } },
    ],
    connections: { Start: to('Read'), Read: to(print.name) },
  }
}

/**
 * n8n on a database of its own, in the PostgreSQL of the installation.
 *
 * @returns a function that runs a command of it.
 */
async function openN8n(context: TestContext, directory: string, files: string) {
  const url = new URL(await findDatabaseUrl())
  const database = `n8n_${randomUUID().slice(0, 8)}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`CREATE DATABASE ${database}`)
  context.onTestFinished(async () => {
    await client.query(`DROP DATABASE ${database} WITH (FORCE)`)
    await client.end()
  })
  const env = {
    ...process.env,
    // n8n runs no workflow in the environment `test`, which is that of Vitest.
    NODE_ENV: 'production',
    HOME: directory,
    N8N_USER_FOLDER: directory,
    N8N_ENCRYPTION_KEY: randomUUID(),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_RESTRICT_FILE_ACCESS_TO: files,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: url.hostname,
    DB_POSTGRESDB_PORT: url.port,
    DB_POSTGRESDB_USER: url.username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
    DB_POSTGRESDB_DATABASE: database,
  }
  const program = join(directory, 'node_modules/n8n/bin/n8n')
  return (...args: string[]) =>
    run(process.execPath, [program, ...args], { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 })
}

automationTest(
  'the recipe of Home Assistant prints the text of its action',
  { timeout: INSTALL_TIMEOUT_MS },
  async (context) => {
    const directory = await makeDirectory(context)
    const python = join(directory, 'venv/bin/python')
    await install(context, 'python3.11', ['-m', 'venv', join(directory, 'venv')])
    await install(context, python, ['-m', 'pip', 'install', '--quiet', '--prefer-binary', HOME_ASSISTANT])
    const { testApi, printer } = await setUp('Test Label 4x6')
    await writeFile(join(directory, 'configuration.yaml'), readRecipe('Home Assistant', 'yaml', printer.id))
    await writeFile(join(directory, 'secrets.yaml'), `platen: Bearer ${testApi.key}\n`)
    await run(python, [join(import.meta.dirname, 'call_rest_command.py'), directory, 'print_label', 'Aisle 7'])
    const { data } = (await testApi.get('/v1/printjobs')).body
    expect(data).toMatchObject([{ title: 'Label', printerId: printer.id }])
    expect((await testApi.waitUntilFinal(data[0].id)).state).toBe('done')
    const { body } = await testApi.get(`/v1/printjobs/${data[0].id}/document`)
    expect(String(body)).toBe('^XA^FO50,50^A0N,40^FDAisle 7^FS^XZ')
  },
)
