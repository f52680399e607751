/**
 * Ledger and statistics after replicas of usage were killed, while jobs are created and end. The replicas merge the
 * hours of the jobs, because these are old.
 */

import { spawn } from 'node:child_process'
import { changeStates, requestedChanges } from '@platen/jobs/change-state.ts'
import { createJobs } from '@platen/jobs/create-jobs.ts'
import type { Trigger } from '@platen/jobs/states.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { RPC_CALLERS_SETTING } from '@platen/test/harness/rpc-key.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld, type World } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { addRecentCounts } from '../../timers/add-recent-counts.ts'
import { readCounts, recountJobs } from '../recount.ts'

const MAIN = new URL('../../../main.ts', import.meta.url).pathname
/** `npm run test:long -- statistics` creates 100,000. */
const JOBS = Number(process.env.PLATEN_STATISTICS_JOBS ?? 600)
/** Two replicas are killed at the end of each but the last. */
const ROUNDS = JOBS > 1_000 ? 8 : 1
const BATCH = 25
/** Processes start meanwhile. */
const COUNTED_MAX_MS = 120_000

async function startUsageProcess({ rpc, databaseUrl }: World) {
  const env = {
    PATH: process.env.PATH,
    PLATEN_LOG_LEVEL: 'fatal',
    PLATEN_RPC_LISTEN: `127.0.0.1:${await freePort()}`,
    PLATEN_RPC_CALLERS: RPC_CALLERS_SETTING,
    PLATEN_RPC_KEY: rpc.key,
    PLATEN_DATABASE_URL: databaseUrl,
    PLATEN_JOBS_URL: rpc.url,
  }
  const args = ['--disable-warning=ExperimentalWarning', MAIN, 'usage']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return { kill }
}

const RECOUNT = `
SELECT organization_id, date_trunc('month', created_at, 'UTC') AS period_start, count(*)::int AS prints
FROM jobs.job WHERE mode = 'live' GROUP BY 1, 2 ORDER BY 1, 2`

const COUNTED = `
SELECT (coalesce((SELECT sum(accepted + jobs) FROM usage.job_count WHERE interval = 'day' AND dimension = 'all'), 0)
  + coalesce((SELECT sum(events) FROM usage.recent_count), 0))::int AS jobs`

/** How jobs end, one after the other. The last one does not. */
const COURSES: { triggers: Trigger[]; reasons?: string[] }[] = [
  { triggers: ['push', 'acknowledge', 'print', 'complete'] },
  { triggers: ['push', 'requeue', 'push', 'acknowledge', 'print', 'complete'], reasons: ['option-ignored'] },
  { triggers: ['push', 'acknowledge', 'fail'], reasons: ['of-an-agent', 'document-format-error'] },
  { triggers: ['push', 'acknowledge', 'print', 'fail'], reasons: ['of-an-agent'] },
  { triggers: ['push', 'acknowledge', 'print', 'timeOut'], reasons: ['spooler-timeout'] },
  { triggers: ['push', 'acknowledge', 'purge'], reasons: ['purged'] },
  { triggers: ['cancel'] },
  { triggers: ['push', 'expire'] },
  { triggers: ['push'] },
]

/** Organizations with printers, keys and sources of their own, live and test. */
function createShops() {
  return Array.from({ length: 3 }, (_, n) => ({
    organizationId: uuidv7(),
    mode: n === 2 ? 'test' : 'live',
    printers: Array.from({ length: 3 }, () => ({ printerId: uuidv7(), computerId: uuidv7() })),
    creators: ['', `key:${uuidv7()}`, `key:${uuidv7()}`, `user:${uuidv7()}`],
  }))
}

const pick = <T>(values: readonly T[], n: number): T => values[n % values.length] ?? expect.fail()

test('after replicas of usage were killed, also in the middle of a batch, ledger, counts and statistics equal a recount of the jobs', async () => {
  const clock = createTestClock(new Date('2026-01-31T23:40:00Z'))
  const world = await startOwnWorld({ clock })
  await world.processes.usage.stop()
  const shops = createShops()
  let created = 0

  async function createBatch(): Promise<void> {
    const jobs = Array.from({ length: BATCH }, (_, n) => {
      const { printers, creators, ...shop } = pick(shops, created + n)
      const [printer, createdBy] = [pick(printers, (created + n) >> 2), pick(creators, (created + n) >> 1) || null]
      return {
        ...sampleJob(clock.now()),
        ...shop,
        ...printer,
        createdBy,
        source: pick(['shop', 'erp'], (created + n) >> 3),
      }
    })
    await createJobs(world.pool, jobs)
    for (const [n, { triggers, reasons = [] }] of COURSES.entries()) {
      const ids = jobs.filter((_, index) => index % COURSES.length === n).map(({ id }) => id)
      for (const [step, trigger] of triggers.entries()) {
        const changes = ids.map((jobId) => ({ jobId, trigger, actor: 'system' as const, stateReasons: reasons }))
        await changeStates(
          world.pool,
          requestedChanges(changes),
          new Date(clock.now().getTime() + (step + 1) * 700 * (n + 1)),
        )
      }
    }
    created += BATCH
    clock.advance(Math.round((2 * 60 * 60 * 1000 * BATCH) / JOBS))
  }
  const createUntil = async (count: number) => {
    while (created < count) await createBatch()
  }
  const untilCounted = (least: number) =>
    waitFor(async () => {
      const [counted] = await world.query<{ jobs: number }>(COUNTED)
      expect(counted?.jobs).toBeGreaterThanOrEqual(least)
    }, COUNTED_MAX_MS)

  const killed = await startUsageProcess(world)
  const creating = createUntil(JOBS * 0.2)
  await untilCounted(1)
  await killed.kill()
  await creating
  // These are not counted yet; events after them are hidden by the transaction that holds the lock.
  await createUntil(JOBS * 0.3)

  const commit = await holdTransaction(world.pool, (client) => client.query('LOCK TABLE usage.period_count'))
  const killedInBatch = await startUsageProcess(world)
  await untilBlocked(world.pool)
  await killedInBatch.kill()
  await createUntil(JOBS * 0.4)
  await commit()

  for (let round = 1; round <= ROUNDS; round++) {
    const replicas = await Promise.all([startUsageProcess(world), startUsageProcess(world)])
    await createUntil(JOBS * (0.4 + (0.6 * round) / ROUNDS))
    if (round < ROUNDS) for (const replica of replicas) await replica.kill()
  }
  const expected = await recountJobs(world)
  const ofAll = [...expected].filter(([name]) => name.includes(' day all '))
  await untilCounted(ofAll.reduce((sum, [, { accepted, jobs }]) => sum + accepted + jobs, 0))
  await addRecentCounts(world.pool, { isComplete: true })
  expect(await readCounts(world)).toEqual(expected)
  for (const state of ['done', 'error', 'cancelled', 'expired'])
    expect(
      [...expected.keys()].some((name) => name.includes(` ${state} `)),
      state,
    ).toBe(true)
  const live = await world.query(`SELECT id AS job_id FROM jobs.job WHERE mode = 'live' ORDER BY 1`)
  expect(await world.query('SELECT job_id FROM usage.ledger ORDER BY 1')).toEqual(live)
  const recount = await world.query(RECOUNT)
  expect(recount, 'both organizations printed in both months').toHaveLength(4)
  expect(await world.query('SELECT * FROM usage.period_count ORDER BY 1, 2')).toEqual(recount)
}, 900_000)
