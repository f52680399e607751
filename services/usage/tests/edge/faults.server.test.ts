/** The ledger after usage was killed, while live jobs are created. */

import { spawn } from 'node:child_process'
import { freePort } from '@platen/test/harness/free-port.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { RPC_CALLERS_SETTING } from '@platen/test/harness/rpc-key.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld, type World } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'

const MAIN = new URL('../../../main.ts', import.meta.url).pathname
const JOBS = 60
/** Processes start meanwhile. */
const COUNTED_MAX_MS = 60_000

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

test('after usage was killed, also in the middle of a batch, the ledger and its counts equal a recount of the jobs', async () => {
  const clock = createTestClock(new Date('2026-01-31T23:59:45Z'))
  const world = await startOwnWorld({ clock })
  const organizations = await Promise.all([newOrganization(world), newOrganization(world)])
  const printers = await Promise.all(organizations.map((organization) => organization.addPrinter()))
  await world.processes.usage.stop()
  const untilCounted = (least: number) =>
    waitFor(async () => {
      const counted = await world.query('SELECT FROM usage.ledger')
      expect(counted.length).toBeGreaterThanOrEqual(least)
    }, COUNTED_MAX_MS)
  let created = 0
  const createUntil = async (count: number) => {
    for (; created < count; created++) {
      const n = created % 2
      await organizations[n]?.createJob(printers[n] ?? expect.fail())
      clock.advance(500)
    }
  }
  const killed = await startUsageProcess(world)
  const creating = createUntil(JOBS * 0.4)
  await untilCounted(1)
  await killed.kill()
  await creating
  // These are not counted yet; events after them are hidden by the transaction that holds the lock.
  await createUntil(JOBS * 0.5)

  const other = await world.pool.connect()
  await other.query('BEGIN')
  await other.query('LOCK TABLE usage.period_count')
  const killedInBatch = await startUsageProcess(world)
  await untilBlocked(world.pool)
  await killedInBatch.kill()
  await createUntil(JOBS * 0.6)
  await other.query('COMMIT')
  other.release()

  await Promise.all([startUsageProcess(world), startUsageProcess(world)])
  await createUntil(JOBS)
  await untilCounted(JOBS)
  const live = await world.query(`SELECT id AS job_id FROM jobs.job WHERE mode = 'live' ORDER BY 1`)
  expect(live).toHaveLength(JOBS)
  expect(await world.query('SELECT job_id FROM usage.ledger ORDER BY 1')).toEqual(live)
  const recount = await world.query(RECOUNT)
  expect(recount, 'both organizations printed in both months').toHaveLength(4)
  expect(await world.query('SELECT * FROM usage.period_count ORDER BY 1, 2')).toEqual(recount)
}, 180_000)
