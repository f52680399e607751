/**
 * The Python library: its own tests, and the wheel as users install it. Needs `python3` 3.11 or later with `venv`; its packages are installed
 * once into `node_modules/.cache`.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startLossyProxy } from '../../conformance/lossy-proxy.ts'
import { OPERATIONS } from '../../generator/operations.ts'
import { toSnakeCase } from '../../generator/text.ts'
import { buildPython, CACHE, hasPython, type Python, preparePython } from '../tools.ts'

const LIBRARY = join(import.meta.dirname, '..')
const VENV_LIMIT_MS = 300_000
const JOBS = 60
/** A key can make 20 requests a second. */
const KEYS = 20

const METHODS = Object.fromEntries(
  OPERATIONS.map(({ operationId, resource, method }) => [
    operationId,
    [resource ?? [], method].flat().map(toSnakeCase).join('.'),
  ]),
)
const readme = readFileSync(join(LIBRARY, 'README.md'), 'utf8')
const PROGRAMS = [...readme.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```python\n([\s\S]*?)^```/gm)]
const OUTPUTS: [title: string, output: RegExp][] = [
  ['Print a document', /^$/],
  ['Lists', /^Test /],
  ['asyncio', /^done$/],
  ['Events', /^printjob\.\w+ \S+$/],
]

async function canRun(): Promise<boolean> {
  if (await hasPython()) return true
  if (process.env.CI) throw new Error('The tests of the Python library need python3 3.11 with venv.')
  console.warn('The tests of the Python library are skipped: there is no python3 3.11 with venv.')
  return false
}

describe.skipIf(!(await canRun()))('the Python library', () => {
  let dir: string
  let python: Python

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'platen-python-'))
    python = await preparePython()
  }, VENV_LIMIT_MS)
  afterAll(() => rm(dir, { recursive: true }))

  test('keeps the cases of all libraries, and has a method for each operation', {
    timeout: VENV_LIMIT_MS,
  }, async () => {
    const document = join(dir, 'openapi.json')
    await writeFile(document, JSON.stringify(OPENAPI_DOCUMENT))
    const env = { PLATEN_OPENAPI: document, PLATEN_METHODS: JSON.stringify(METHODS), PYTHONPATH: join(LIBRARY, 'src') }
    const output = await python(['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider'], env)
    expect(output).toMatch(/^\d+ passed, 1 skipped/m)
  })

  test('has no fault that a strict type checker finds', { timeout: VENV_LIMIT_MS }, async () => {
    expect(await python(['-m', 'mypy', '--cache-dir', join(CACHE, 'mypy')])).toMatch(/^Success/)
  })

  test('creates 60 jobs by 60 creations through a proxy that cuts 30 % of the answers', async () => {
    const organization = await newOrganization()
    const { printerId } = await organization.connectAgent()
    const proxy = await startLossyProxy(installation.credentials.baseUrl)
    onTestFinished(proxy.stop)
    const keys = await Promise.all(Array.from({ length: KEYS }, () => organization.addKey('live', 'print')))
    const program = `
import sys, json
from concurrent.futures import ThreadPoolExecutor
from platen import Platen
printer, keys = sys.argv[1], sys.argv[2:]
def create(number):
    platen = clients[number % len(keys)]
    return platen.print_jobs.create(printer=printer, title=f"Label {number}", file=b"^XA^XZ").id
clients = [Platen(api_key=key, max_retries=20) for key in keys]
with ThreadPoolExecutor(20) as pool:
    print(json.dumps(list(pool.map(create, range(${JOBS})))))
`
    const env = { PLATEN_URL: proxy.url, PYTHONPATH: join(LIBRARY, 'src') }
    const created = JSON.parse(await python(['-c', program, printerId, ...keys.map(({ api }) => api.key)], env))
    const titles = new Set<string>()
    let count = 0
    for (let after = ''; ; ) {
      const { body } = await organization.api.get(`/v1/printjobs?printerId=${printerId}&limit=100${after}`)
      for (const { title } of body.data) titles.add(title)
      count += body.data.length
      if (!body.hasMore) break
      after = `&after=${body.nextCursor}`
    }
    expect(proxy.lost()).toBeGreaterThan(JOBS * 0.3 * 0.5)
    expect([count, titles.size, new Set(created).size]).toEqual([JOBS, JOBS, JOBS])
  })

  test('is installed from its wheel into an empty environment, and runs the programs of its README', async () => {
    await buildPython(python, dir)
    const files = await readdir(dir)
    expect(files.filter((name) => /\.(whl|tar\.gz)$/.test(name))).toHaveLength(2)
    const site = join(dir, 'site')
    const wheel = files.find((name) => name.endsWith('.whl')) ?? ''
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', site]
    await python([...install, '--no-deps', join(dir, wheel)])
    await writeFile(join(dir, 'invoice.pdf'), PDF)
    const { testApi } = await newOrganization()
    const env = { PLATEN_URL: installation.credentials.baseUrl, PLATEN_KEY: testApi.key, PYTHONPATH: site }
    expect(PROGRAMS.map(([, title]) => title)).toEqual([...OUTPUTS.map(([title]) => title), 'Webhooks'])
    const results = await Promise.all(
      OUTPUTS.map(async ([title, output]) => {
        const [, , text = ''] = PROGRAMS.find(([, found]) => found === title) ?? []
        const name = join(dir, `readme-${title.replaceAll(' ', '-')}.py`)
        await writeFile(name, text)
        return [title, (await python([name], env, dir)).trim(), output] as const
      }),
    )
    for (const [title, output, expected] of results) expect(output, title).toMatch(expected)
    expect(await readFile(join(site, 'platen/py.typed'), 'utf8')).toBe('')
  })
})
