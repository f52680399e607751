/** `docs/api.md` is true: what it tells a newcomer to run is taken from the file itself, and run. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'

const ROOT = new URL('../../', import.meta.url)
const GUIDE = await readFile(new URL('docs/api.md', ROOT), 'utf8')
const RUN_LIMIT_MS = 120_000

let platen: Platen
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platen-guide-'))
  await writeFile(join(directory, 'document.pdf'), makePdf('Hello'))
  platen = await startPlaten()
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
  await rm(directory, { recursive: true })
})

/** All blocks of a language, one after the other. */
function blocks(language: string): string {
  const found = [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code)
  expect(found.length).toBeGreaterThan(0)
  return found.join('\n')
}

/** @returns what it printed. */
async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: directory, env: { ...process.env, ...env }, timeout: RUN_LIMIT_MS }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

test('the commands of the guide lead from a key to a job in done', async () => {
  const { baseUrl, testKey } = platen.credentials
  const script = blocks('sh')
  expect(script).toContain('=http://localhost:8080\n')
  expect(script).toContain('=platen_test_…\n')
  const own = script.replace('http://localhost:8080', baseUrl).replace('platen_test_…', testKey)
  const printed = await run('bash', ['-euo', 'pipefail', '-c', `${own}\necho "$JOB"`])
  const lines = printed.trimEnd().split('\n')
  const id = lines.pop() ?? ''
  expect(lines.at(-1)).toMatch(/Z done$/)
  expect(await platen.api.getJob(id)).toMatchObject({ state: 'done', title: 'Hello' })
})

test('the program of the guide prints and waits for done', async () => {
  const { baseUrl, testKey } = platen.credentials
  await writeFile(join(directory, 'print.ts'), blocks('ts'))
  const printed = await run(process.execPath, ['print.ts'], { PLATEN_URL: baseUrl, PLATEN_KEY: testKey })
  const [id = '', state] = printed.trim().split(' ')
  expect(state).toBe('done')
  expect(await platen.api.getJob(id)).toMatchObject({ state: 'done', title: 'Hello' })
})

test('the program of the guide says what is wrong, and does not repeat what cannot succeed', async () => {
  const env = { PLATEN_URL: platen.credentials.baseUrl, PLATEN_KEY: 'platen_test_wrong' }
  await writeFile(join(directory, 'print.ts'), blocks('ts'))
  await expect(run(process.execPath, ['print.ts'], env)).rejects.toThrow(/401 unauthorized: Send a valid API key/)
})

test('the guide is found from the README, and its links lead somewhere', async () => {
  expect(await readFile(new URL('README.md', ROOT), 'utf8')).toContain('(docs/api.md)')
  const links = [...GUIDE.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  const files = links.filter((link) => !link.startsWith('http'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect(existsSync(new URL(`docs/${file}`, ROOT)), file).toBe(true)
})

test('the page and the document are served without a key, as the guide says', async () => {
  for (const [path, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/v1/openapi.json', 'application/json; charset=utf-8'],
  ] as const) {
    const { status, headers } = await fetch(platen.credentials.baseUrl + path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, type])
  }
})
