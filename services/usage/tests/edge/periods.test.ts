import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { readUsage, startUsage } from '../test-usage.ts'

test('a job is a print of the month in UTC of its creation, whenever it is handled', async () => {
  proves('usage.prints.used')
  const world = await startOwnWorld({ clock: createTestClock(new Date('2026-01-31T23:59:59.999Z')) })
  const { api, liveJob, expectPrints } = await startUsage(world)
  await api.createJob(liveJob())
  await expectPrints(1)
  // The next print is counted in February.
  const commit = await holdTransaction(world.pool, (client) => client.query('LOCK TABLE usage.ledger'))
  await api.createJob(liveJob())
  world.advance(1)
  await api.createJob(liveJob())
  await commit()
  await expectPrints(1)
  const counts = await world.query('SELECT period_start AS start, prints FROM usage.period_count ORDER BY period_start')
  expect(counts).toEqual([
    { start: new Date('2026-01-01T00:00:00Z'), prints: 2 },
    { start: new Date('2026-02-01T00:00:00Z'), prints: 1 },
  ])
})

test('a new month in UTC begins with 0 prints, and a new day with 0 test jobs', async () => {
  proves(
    'usage.next-period',
    'usage.period.start',
    'usage.period.end',
    'usage.testJobsToday.used',
    'usage.testJobsToday.resetsAt',
  )
  const world = await startOwnWorld({ clock: createTestClock(new Date('2026-12-31T23:59:59.999Z')) })
  const { api, testApi, liveJob, testJob, expectPrints } = await startUsage(world)
  await testApi.createJob(testJob())
  await api.createJob(liveJob())
  await expectPrints(1)
  const read = async () => {
    const { period, prints, testJobsToday } = await readUsage(api)
    return [period.start, period.end, prints.used, testJobsToday.used, testJobsToday.resetsAt]
  }
  const [december, january, february] = ['2026-12-01', '2027-01-01', '2027-02-01'].map((day) => `${day}T00:00:00.000Z`)
  expect(await read()).toEqual([december, january, 1, 1, january])
  world.advance(1)
  expect(await read()).toEqual([january, february, 0, 0, '2027-01-02T00:00:00.000Z'])
})
