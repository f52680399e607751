/**
 * The Python library: its own tests, and the wheel as users install it. Needs `python3` 3.11 or later with `venv`; its
 * packages are installed once into `node_modules/.cache`.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startLossyProxy } from '../../conformance/lossy-proxy.ts'
import { OPERATIONS } from '../../generator/operations.ts'
import { toSnakeCase } from '../../generator/text.ts'
import { packagePython } from '../package-python.ts'
import { CACHE, hasPython, type Python, preparePython, prepareUrllib3 } from '../tools.ts'

const LIBRARY = join(import.meta.dirname, '..')
const VENV_LIMIT_MS = 300_000
const NEWEST = '2.'
/** The oldest supported version, for programs such as Odoo that have no newer one, and the newest. */
const URLLIB3 = ['1.26.18', NEWEST]
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

  test.each(URLLIB3)(
    'keeps the cases of all libraries, and has a method for each operation, with urllib3 %s',
    {
      timeout: VENV_LIMIT_MS,
    },
    async (version) => {
      const document = join(dir, 'openapi.json')
      await writeFile(document, JSON.stringify(OPENAPI_DOCUMENT))
      const env = {
        PLATEN_OPENAPI: document,
        PLATEN_METHODS: JSON.stringify(METHODS),
        ...(await withUrllib3(version, join(LIBRARY, 'src'))),
      }
      const output = await python(['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider'], env)
      expect(output).toMatch(/^\d+ passed, 1 skipped/m)
    },
  )

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
from platen_print import Platen
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

  describe('the wheel', () => {
    let site: string

    beforeAll(async () => {
      site = join(dir, 'site')
      await install('--target', site, '--no-deps', await packagePython(dir))
      await writeFile(join(dir, 'invoice.pdf'), PDF)
      for (const [, title = '', text = ''] of PROGRAMS) await writeFile(toFile(title), text)
    })

    const install = (...args: string[]) =>
      python(['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...args])
    const toFile = (title: string) => join(dir, `readme_${title.replaceAll(' ', '_')}.py`)

    test('has the version of the module, its types and its licence', async () => {
      const program =
        'import platen_print, importlib.metadata as m; print(platen_print.__version__, m.version("platen-print"))'
      const [module, distribution] = (await python(['-c', program], { PYTHONPATH: site }, dir)).trim().split(' ')
      expect(distribution).toBe(module)
      expect(await readFile(join(site, 'platen_print/py.typed'), 'utf8')).toBe('')
      const info = (await readdir(site)).find((name) => name.endsWith('.dist-info')) ?? ''
      expect(await readFile(join(site, info, 'licenses/LICENSE'), 'utf8')).toContain('Apache License')
    })

    test('has types with which the programs of the README pass a strict type checker', {
      timeout: VENV_LIMIT_MS,
    }, async () => {
      const files = PROGRAMS.map(([, title = '']) => toFile(title))
      const options = ['--strict', '--cache-dir', join(CACHE, 'mypy-readme')]
      expect(await python(['-m', 'mypy', ...options, ...files], { MYPYPATH: site }, dir)).toMatch(/^Success/)
    })

    test.each(URLLIB3)(
      'runs the programs of the README with urllib3 %s',
      { timeout: VENV_LIMIT_MS },
      async (version) => {
        const { testApi } = await newOrganization()
        const env = {
          PLATEN_URL: installation.credentials.baseUrl,
          PLATEN_KEY: testApi.key,
          ...(await withUrllib3(version, site)),
        }
        expect(PROGRAMS.map(([, title]) => title)).toEqual([...OUTPUTS.map(([title]) => title), 'Webhooks'])
        const results = await Promise.all(
          OUTPUTS.map(
            async ([title, output]) => [title, (await python([toFile(title)], env, dir)).trim(), output] as const,
          ),
        )
        for (const [title, output, expected] of results) expect(output, title).toMatch(expected)
      },
    )
  })

  /**
   * @returns the environment in which Python finds the library and the version, of which `preparePython` has installed
   *   the newest.
   */
  async function withUrllib3(version: string, library: string) {
    const older = version === NEWEST ? [] : [await prepareUrllib3(python, version)]
    const env = { PYTHONPATH: [library, ...older].join(delimiter) }
    expect(await python(['-c', 'import urllib3; print(urllib3.__version__)'], env)).toMatch(new RegExp(`^${version}`))
    return env
  }
})
