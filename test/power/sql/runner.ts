/**
 * The runner of Vitest for `power --sql`. Runs each test once to see which conditions its statements have, and once
 * more for each of these that no test has noticed yet, without a new start of Vitest, PostgreSQL or the services.
 *
 * A test that fails without a condition notices it. The world of the worker is then replaced, because the change can
 * have damaged its rows. If changes ran in the world before, the test must fail in a new world as well.
 */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { inject, type RunnerTestCase } from 'vitest'
import RulesRunner from '../../harness/rules.ts'
import { endWorldOfWorker, getWorld } from '../../harness/world.ts'
import type { ChangeEnvironment } from './change-statements.ts'
import type { Mutant } from './mark-statements.ts'

export type Result =
  | { type: 'test'; test: string; durationMs: number; ids: string[] }
  /** The test passed without the condition. */
  | { type: 'passed'; test: string; id: string }
  | { type: 'noticed'; test: string; id: string; error: string }
  /** The test fails without a change, at once or when it is repeated, and notices nothing. */
  | { type: 'unusable'; test: string; error: string }

/**
 * The conditions that a test tries: fast and slow tests those of their own service, then fast tests those of other
 * services. Tests that are named try all.
 */
export type Scope = 'fast' | 'slow' | 'others' | 'named'

/** A test that takes longer is not repeated. */
const DURATIONS_MS = { fast: [0, 4_000], slow: [4_000, 30_000], others: [0, 12_000], named: [0, 30_000] } as const
/** A test of another service does not try a condition that more tests ran without. */
const PASSED_MAX = 200
/** Conditions that as many tests ran without are taken away together, and separately if the test fails. */
const PASSED_BEFORE_GROUP = 2
/** A smaller group is better where a test is more likely to notice one of the conditions. */
const GROUPS: Record<Scope, number> = { fast: 16, slow: 16, others: 128, named: 16 }
/** A changed test that takes longer waits in vain. */
const toLimitMs = (durationMs: number) => 6_000 + 5 * durationMs
/** A test can fail because a statement without its lock keeps a transaction of another worker open. */
const REPEATED_MAX = 3
/** An end waits in vain for a connection that a failed test holds. */
const END_MAX_MS = 3_000

const environment = process.env as unknown as ChangeEnvironment
const directory = environment.PLATEN_SQL_DIRECTORY
const mutants: Mutant[] = JSON.parse(readFileSync(join(directory, 'mutants.json'), 'utf8'))
/** Whether a test with a change failed in the present world. */
let hasWorldFailed = false

export default class extends RulesRunner {
  override async runTask(test: RunnerTestCase) {
    const name = `${relative(process.cwd(), test.file.filepath)}: ${test.fullTestName ?? test.name}`
    const traceFile = join(directory, 'traces', `${process.pid}-${test.id}`)
    writeFileSync(traceFile, '')
    environment.PLATEN_SQL_TRACE = traceFile
    const startedAt = performance.now()
    try {
      await super.runTask(test)
      await endTest(test)
    } catch (error) {
      record({ type: 'unusable', test: name, error: toText(error) })
      // A world that did not start, or that a change has damaged, would fail all later tests.
      await replaceWorld()
      throw error
    }
    const durationMs = performance.now() - startedAt
    environment.PLATEN_SQL_TRACE = ''
    const statements = readFileSync(traceFile, 'utf8').split('\n').filter(Boolean)
    const ids = [...new Set(statements.flatMap((line) => line.split(',')))]
    record({ type: 'test', test: name, durationMs, ids })
    const [from, to] = DURATIONS_MS[environment.PLATEN_SQL_SCOPE]
    if (durationMs < from || durationMs > to) return
    const attempts = new Attempts(test, name, durationMs, async () => await super.runTask(test))
    const [groups = [], single = []] = [true, false].map((isGrouped) =>
      ids.filter((id) => isTried(id, name) && countPassed(id) >= PASSED_BEFORE_GROUP === isGrouped),
    )
    for (const id of single) await attempts.tryGroup([id])
    const size = GROUPS[environment.PLATEN_SQL_SCOPE]
    for (const group of toGroups(groups, statements, size)) await attempts.tryGroup(group)
    if (hasWorldFailed) await replaceWorld()
  }
}

class Attempts {
  private readonly test: RunnerTestCase
  private readonly name: string
  private readonly limitMs: number
  private readonly run: () => Promise<void>
  private isRepeatable: boolean | undefined

  constructor(test: RunnerTestCase, name: string, durationMs: number, run: () => Promise<void>) {
    this.test = test
    this.name = name
    this.run = run
    this.limitMs = toLimitMs(durationMs)
  }

  async tryGroup(group: string[]): Promise<void> {
    const ids = group.filter((id) => isTried(id, this.name))
    const [first = '', ...others] = ids
    if (!first || this.isRepeatable === false) return
    const error = await this.attempt(ids)
    if (!error) this.recordPassed(ids)
    else if (others.length > 0) {
      const half = Math.floor(ids.length / 2)
      await this.tryGroup(ids.slice(0, half))
      await this.tryGroup(ids.slice(half))
    } else await this.confirm(first)
  }

  /** The condition is noticed if the test fails again without it, after it has passed with it in the same world. */
  private async confirm(id: string): Promise<void> {
    let failure: string | undefined
    for (let n = 0; n < REPEATED_MAX; n++) {
      failure = await this.attempt([])
      if (failure) await replaceWorld()
      else this.isRepeatable = true
      const error = await this.attempt([id])
      if (!error) return this.recordPassed([id])
      if (failure) continue
      writeFileSync(join(directory, 'noticed', id), '')
      return record({ type: 'noticed', test: this.name, id, error })
    }
    this.isRepeatable ??= false
    record({ type: 'unusable', test: this.name, error: failure ?? '' })
  }

  private recordPassed(ids: string[]): void {
    for (const id of ids) {
      appendFileSync(join(directory, 'passed', id), '.')
      record({ type: 'passed', test: this.name, id })
    }
  }

  /** @returns the failure of the test. */
  private async attempt(ids: string[]): Promise<string | undefined> {
    const { test, limitMs } = this
    // The start of a world is not part of the time of the test.
    if (test.file.filepath.includes('/tests/world/')) await getWorld()
    environment.PLATEN_SQL_MUTANTS = ids.join()
    const controller = new AbortController()
    let isLate = false
    try {
      const run = this.run()
      const late = sleep(limitMs, undefined, { signal: controller.signal }).then(() => {
        isLate = true
        throw new Error(`takes longer than ${limitMs.toFixed()} ms`)
      })
      late.catch(() => undefined)
      await Promise.race([run, late])
      if (test.result?.state === 'fail') throw test.result.errors?.at(-1) ?? new Error('failed')
      await endTest(test)
      return undefined
    } catch (error) {
      await endTest(test).catch(() => undefined)
      hasWorldFailed = true
      // It can hold locks.
      if (isLate) await replaceWorld()
      return toText(error)
    } finally {
      controller.abort()
      environment.PLATEN_SQL_MUTANTS = ''
      if (test.result) Object.assign(test.result, { state: 'run', errors: undefined })
    }
  }
}

/**
 * Each has one condition of a statement at most, because a condition can hide the effect of another one.
 *
 * @param statements the ids of each, with commas.
 */
function toGroups(ids: string[], statements: string[], size: number): string[][] {
  const besides = new Map<string, Set<string>>()
  for (const line of statements) {
    const all = line.split(',')
    for (const id of all) besides.set(id, new Set([...(besides.get(id) ?? []), ...all]))
  }
  const groups: string[][] = []
  for (const id of ids) {
    const group = groups.find((one) => one.length < size && !one.some((other) => besides.get(id)?.has(other)))
    if (group) group.push(id)
    else groups.push([id])
  }
  return groups
}

/** Errors of Vitest are objects. */
const toText = (error: unknown) => String((error as { message?: string })?.message ?? error)

/** Runs what the test has registered for its end, which Vitest would do after the last attempt only. */
async function endTest(test: RunnerTestCase): Promise<void> {
  const { onFinished: ends = [] } = test as { onFinished?: ((context: unknown) => unknown)[] }
  Object.assign(test, { onFinished: undefined, onFailed: undefined })
  let failure: unknown
  for (const end of ends.toReversed())
    await inTime(Promise.resolve().then(() => end(test.context))).catch((error: unknown) => {
      failure = error
    })
  if (failure) throw failure
}

async function replaceWorld(): Promise<void> {
  await inTime(endWorldOfWorker()).catch(() => undefined)
  await dropDatabases()
  hasWorldFailed = false
}

/** An open transaction that a failed test has left would fail the tests of other workers that wait for its end. */
async function dropDatabases(): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_${process.pid}\\_%'`,
  )
  for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`).catch(() => undefined)
  await client.end()
}

const inTime = (ending: Promise<unknown>): Promise<unknown> =>
  Promise.race([ending, sleep(END_MAX_MS, undefined, { ref: false })])

const sizeIn = (folder: string, id: string) => statSync(join(directory, folder, id), { throwIfNoEntry: false })?.size
const countPassed = (id: string) => sizeIn('passed', id) ?? 0

function isTried(id: string, test: string): boolean {
  if (sizeIn('noticed', id) !== undefined || sizeIn('invalid', id) !== undefined) return false
  if (environment.PLATEN_SQL_SCOPE === 'named') return true
  const isOwn = test.startsWith(`${mutants[Number(id)]?.service}/`)
  return environment.PLATEN_SQL_SCOPE === 'others' ? !isOwn && countPassed(id) < PASSED_MAX : isOwn
}

function record(result: Result): void {
  appendFileSync(join(directory, 'results'), `${JSON.stringify(result)}\n`)
}
