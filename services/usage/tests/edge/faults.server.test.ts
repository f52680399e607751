/** The ledger after faults: usage is killed and NATS loses its store, while live jobs are created. */
import { spawn } from 'node:child_process'
import { freePort } from '@platen/test/harness/free-port.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld, type World } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'

const MAIN = new URL('../../../main.ts', import.meta.url).pathname
const JOBS = 60
/** A consumer notices after 30 s that the server has lost it. */
const HANDLED_MAX_MS = 90_000

async function startUsageProcess({ rpc, databaseUrl, natsServer }: World) {
  const env = {
    PATH: process.env.PATH,
    PLATEN_LOG_LEVEL: 'fatal',
    PLATEN_RPC_LISTEN: `127.0.0.1:${await freePort()}`,
    PLATEN_RPC_SECRET: rpc.secret,
    PLATEN_DATABASE_URL: databaseUrl,
    PLATEN_NATS_URL: natsServer.url,
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

test('after usage was killed and NATS lost its store the ledger and its counts equal a recount of the jobs', async () => {
  const clock = createTestClock(new Date('2026-01-31T23:59:45Z'))
  const world = await startOwnWorld({ clock, jobs: { republishAfterMs: 2_000 } })
  const organizations = await Promise.all([newOrganization(world), newOrganization(world)])
  const printers = await Promise.all(organizations.map((organization) => organization.addPrinter()))
  await world.processes.usage.stop()
  const countLedger = async () => (await world.query('SELECT FROM usage.ledger')).length
  let created = 0
  const createUntil = async (count: number) => {
    for (; created < count; created++) {
      const n = created % 2
      await organizations[n]?.createJob(printers[n] ?? expect.fail())
      clock.advance(500)
    }
  }
  const usage = await startUsageProcess(world)
  const creating = createUntil(JOBS * 0.4)
  await waitFor(async () => expect(await countLedger()).toBeGreaterThan(0), HANDLED_MAX_MS)
  await usage.kill()
  await creating
  const more = createUntil(JOBS * 0.6)
  await world.natsServer.kill()
  await world.natsServer.wipe()
  await world.natsServer.start()
  await more
  await startUsageProcess(world)
  await createUntil(JOBS)

  await waitFor(async () => expect(await world.query('SELECT subject FROM jobs.outbox')).toEqual([]), HANDLED_MAX_MS)
  const live = await world.query(`SELECT id AS job_id FROM jobs.job WHERE mode = 'live' ORDER BY 1`)
  expect(live).toHaveLength(JOBS)
  expect(await world.query('SELECT job_id FROM usage.ledger ORDER BY 1')).toEqual(live)
  const recount = await world.query(RECOUNT)
  expect(recount, 'both organizations printed in both months').toHaveLength(4)
  expect(await world.query('SELECT * FROM usage.period_count ORDER BY 1, 2')).toEqual(recount)
}, 240_000)
