/**
 * Takes each condition of the SQL of services away, in the last commit, and counts those that a test notices: first the
 * tests of the service in `tests/world` and `tests/edge`, then those of other services in `tests/world`. Conditions of
 * `kept.json`, which no test can notice, are not tried.
 */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, withCopy } from '../copy-commit.ts'
import { TOLERANCE } from '../run-mutation.ts'
import SCORES from '../scores.json' with { type: 'json' }
import { isKept, KEPT } from './kept.ts'
import { type Mutant, markStatements } from './mark-statements.ts'
import type { Result, Scope } from './runner.ts'

/** PostgreSQL and the nats-servers need the other processors. */
const WORKERS = 2
const PROGRESS_MS = 1_000
/** The names of the conditions that the last runs have noticed, also of those that were interrupted. */
const NOTICED_FILE = join(ROOT, 'node_modules/.cache/platen/noticed-conditions.json')
const NOT_SHIPPED = /\/(?:tests|migrations|node_modules)\//

interface Selection {
  /** The files with statements have it in their paths. */
  part: string
  /** A part of the conditions is tried. */
  percent: number
  /** Conditions that the last run has noticed are not tried and count as noticed. */
  isAgain: boolean
  /** Paths of test files. Empty: all that can notice a condition. */
  tests: string[]
}

/** @returns whether all services have their scores. */
export async function runSql(selected: Partial<Selection> = {}): Promise<boolean> {
  const selection: Selection = { part: '', percent: 100, isAgain: false, tests: [], ...selected }
  const { part } = selection
  const required = Object.entries(SCORES.sql).filter(([service]) => service.includes(part) || part.startsWith(service))
  if (required.length === 0) throw new Error(`No service of scores.json has ${part} in its path.`)
  const services = required.map(([service]) => service)
  const { mutants, unnoticed } = await tryMutants(services, selection)
  const conditions = mutants.filter(({ kind }) => kind === 'condition')
  let passed = true
  console.log('\n| service | conditions | noticed | score | required | kept |\n| - | - | - | - | - | - |')
  for (const [service, score] of required) {
    const all = conditions.filter((mutant) => mutant.service === service)
    const noticed = all.filter(({ id }) => !unnoticed.has(id))
    const reached = (100 * noticed.length) / all.length
    if (service.includes(part) && !(reached >= score - TOLERANCE)) passed = false
    const kept = countKept(service)
    console.log(`| ${service} | ${all.length} | ${noticed.length} | ${reached.toFixed(1)} % | ${score} % | ${kept} |`)
  }
  for (const kind of ['condition', 'bound'] as const) {
    const survivors = mutants.filter((mutant) => mutant.kind === kind && unnoticed.has(mutant.id))
    console.log(`\n${survivors.length} ${kind}s not noticed:`)
    for (const mutant of survivors) console.log(`${describe(mutant)} (${unnoticed.get(mutant.id)} tests)`)
  }
  return passed
}

const countKept = (service: string) =>
  Object.entries(KEPT)
    .filter(([file]) => file.startsWith(`${service}/`))
    .flatMap(([, reasons]) => Object.keys(reasons)).length

const describe = ({ file, line, removed }: Mutant) => `${file}:${line} ${removed}`

/** @returns the valid mutants, and how many tests ran with each that none noticed. */
async function tryMutants(
  services: string[],
  selection: Selection,
): Promise<{ mutants: Mutant[]; unnoticed: Map<number, number> }> {
  return await withCopy(async (copy, scratch) => {
    const directory = join(scratch, 'sql')
    const mutants = await markServices(copy, services, selection)
    for (const name of ['traces', 'noticed', 'passed', 'invalid'])
      await mkdir(join(directory, name), { recursive: true })
    await writeFile(join(directory, 'mutants.json'), JSON.stringify(mutants))
    await writeFile(join(directory, 'results'), '')
    const before = selection.isAgain ? await readNoticed() : []
    for (const { id, name } of mutants)
      if (before.includes(name)) await writeFile(join(directory, 'noticed', String(id)), '')
    const progress = followProgress(directory, mutants)
    const own = services.map((service) => `${service}/tests/`)
    try {
      if (selection.tests.length > 0) await runTests(copy, scratch, 'named', selection.tests)
      else {
        await runTests(copy, scratch, 'fast', own)
        await runTests(copy, scratch, 'slow', own)
        await runTests(copy, scratch, 'others', ['--project=world'])
      }
    } finally {
      await progress.end()
      await writeNoticed(mutants, await readdir(join(directory, 'noticed')), selection)
    }
    const results = await readResults(directory)
    for (const result of results)
      if (result.type === 'unusable') console.log(`fails without a change: ${result.test}: ${result.error}`)
    const [noticed, invalid] = [await readdir(join(directory, 'noticed')), await readdir(join(directory, 'invalid'))]
    for (const id of invalid) {
      const error = await readFile(join(directory, 'invalid', id), 'utf8')
      console.log(`no valid SQL: ${describe(mutants[Number(id)] as Mutant)}: ${error}`)
    }
    const valid = mutants.filter(({ id }) => !invalid.includes(String(id)))
    const passed = Map.groupBy(results.filter(({ type }) => type === 'passed') as { id: string }[], ({ id }) =>
      Number(id),
    )
    const survivors = valid.filter(({ id }) => !noticed.includes(String(id)))
    return { mutants: valid, unnoticed: new Map(survivors.map(({ id }) => [id, passed.get(id)?.length ?? 0])) }
  })
}

const readNoticed = async (): Promise<string[]> => JSON.parse(await readFile(NOTICED_FILE, 'utf8').catch(() => '[]'))

/** @param ids of the noticed ones of these mutants. */
async function writeNoticed(mutants: Mutant[], ids: string[], { isAgain }: Selection): Promise<void> {
  const tried = new Set(mutants.map(({ name }) => name))
  const others = (await readNoticed()).filter((name) => isAgain || !tried.has(name))
  const noticed = mutants.filter(({ id }) => ids.includes(String(id))).map(({ name }) => name)
  await writeFile(NOTICED_FILE, JSON.stringify([...new Set([...others, ...noticed])], undefined, 2))
}

async function markServices(copy: string, services: string[], { part, percent }: Selection): Promise<Mutant[]> {
  const mutants: Mutant[] = []
  for (const service of services)
    for await (const path of glob(`${service}/**/*.ts`, { cwd: copy })) {
      if (NOT_SHIPPED.test(path) || !path.includes(part)) continue
      const source = await readFile(join(copy, path), 'utf8')
      const isTried = (mutant: Pick<Mutant, 'name' | 'removed'>) =>
        toPercent(mutant.name) < percent && !isKept(mutant, path)
      const { marked, mutants: found } = markStatements({ service, path, source, firstId: mutants.length, isTried })
      await writeFile(join(copy, path), marked)
      mutants.push(...found)
    }
  return mutants
}

/** @returns a number from 0 to 99 that is always the same for a text. */
const toPercent = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 8), 16) % 100

/** @param selected files and options of Vitest. */
async function runTests(copy: string, scratch: string, scope: Scope, selected: string[]): Promise<void> {
  const preload = pathToFileURL(join(copy, 'test/power/sql/change-statements.ts')).href
  const vitest = spawn('vitest', ['run', '--config', 'test/power/sql/vitest.config.ts', '--root', copy, ...selected], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      TMPDIR: scratch,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --no-warnings --import=${preload}`,
      PLATEN_SQL_DIRECTORY: join(scratch, 'sql'),
      PLATEN_SQL_SCOPE: scope,
      PLATEN_SQL_MUTANTS: '',
      PLATEN_SQL_TRACE: '',
      PLATEN_SQL_WORKERS: String(WORKERS),
    },
  })
  const [code] = await once(vitest, 'exit')
  if (code !== 0 && code !== 1) throw new Error('interrupted')
}

const readResults = async (directory: string): Promise<Result[]> =>
  (await readFile(join(directory, 'results'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Prints a line for each test and for each condition that it noticed. */
function followProgress(directory: string, mutants: Mutant[]) {
  let printed = 0
  let noticed = 0
  const print = async () => {
    const results = await readResults(directory)
    for (const result of results.slice(printed)) {
      if (result.type === 'test')
        console.log(`${result.test} (${result.durationMs.toFixed()} ms, ${result.ids.length} conditions)`)
      if (result.type !== 'noticed') continue
      noticed++
      const mutant = describe(mutants[Number(result.id)] as Mutant)
      console.log(`  ${noticed} of ${mutants.length} noticed: ${mutant}: ${result.error.split('\n')[0]}`)
    }
    printed = results.length
  }
  const timer = setInterval(print, PROGRESS_MS)
  return {
    async end() {
      clearInterval(timer)
      await print()
    },
  }
}
