/** The ledger after faults: usage killed with -9 again and again, NATS without its store, while live jobs come. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestPlaten, type TestPlaten } from './start-test-platen.ts'

const MAIN = new URL('../../main.ts', import.meta.url).pathname
const JOBS = 150
/** A process starts on a busy machine, and a consumer notices only after 30 s that the server has forgotten it. */
const HEARD_MAX_MS = 120_000

function startUsageProcess({ usageEnvironment }: TestPlaten) {
  const env = { PATH: process.env.PATH, PLATEN_LOG_LEVEL: 'fatal', ...usageEnvironment }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'usage'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return { kill }
}

const ledgerRows = async ({ query }: TestPlaten) => (await query('SELECT FROM usage.ledger')).length

/** From the jobs themselves, in the form of the counts. */
const RECOUNT = `
SELECT organization_id, date_trunc('month', created_at, 'UTC') AS period_start, count(*)::int AS prints
FROM jobs.job WHERE mode = 'live' GROUP BY 1, 2 ORDER BY 1, 2`

test('after usage was killed and NATS wiped, again and again, the ledger and its counts equal a recount of the jobs', async () => {
  const platen = await startTestPlaten({ now: new Date('2026-01-31T23:59:30Z'), republishAfterMs: 2_000 })
  await platen.firstUsage.stop()
  let usage = startUsageProcess(platen)
  const organizations = await Promise.all([platen.addOrganization(), platen.addOrganization()])
  let created = 0
  const create = async (n: number) => {
    const { live, liveJob } = organizations[n % 2] ?? expect.fail()
    while (created < JOBS) {
      created++
      await live.createJob(liveJob())
      platen.clock.advanceSeconds(0.5)
      await sleep(20) // so that the faults hit a stream of jobs
    }
  }
  const disturb = async () => {
    for (const share of [0.2, 0.4, 0.6]) {
      await waitFor(async () => expect(await ledgerRows(platen)).toBeGreaterThan(JOBS * (share - 0.2)), HEARD_MAX_MS)
      await usage.kill()
      await waitFor(() => expect(created).toBeGreaterThan(JOBS * share), 30_000)
      await platen.nats.kill()
      await platen.nats.wipe()
      await platen.nats.start()
      usage = startUsageProcess(platen)
    }
  }
  await Promise.all([create(0), create(1), create(0), disturb()])

  const untold = () => platen.query('SELECT subject, awaiting FROM jobs.outbox')
  await waitFor(async () => expect(await untold()).toEqual([]), HEARD_MAX_MS)
  const live = await platen.query(`SELECT id AS job_id FROM jobs.job WHERE mode = 'live' ORDER BY 1`)
  expect(live).toHaveLength(JOBS)
  expect(await platen.query('SELECT job_id FROM usage.ledger ORDER BY 1')).toEqual(live)
  const recount = await platen.query(RECOUNT)
  expect(recount.length, 'both organizations printed in both months').toBe(4)
  expect(await platen.query('SELECT * FROM usage.period_count ORDER BY 1, 2')).toEqual(recount)
}, 480_000)
