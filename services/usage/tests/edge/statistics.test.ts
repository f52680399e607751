import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { startStatistics } from '../test-statistics.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const at = (time: string) => new Date(time).toISOString()

test('jobs are counted by their creation, final state and reason, with the times to printing and to done, in each interval', async () => {
  proves(
    'endpoint.GET.statistics',
    'statistics.counts',
    'statistics.reasons',
    'statistics.interval',
    'statistics.to-printing',
    'statistics.confirmed-by',
  )
  const world = await startOwnWorld({ clock: createTestClock(new Date('2026-01-31T22:30:00Z')) })
  const { id, till, office, end, createJob, listData, count } = await startStatistics(world)
  await end(till, {}, undefined, 'printer')
  await end(office)
  await end(till, {}, ['of-an-agent', 'document-format-error'])
  await end(till, {}, ['of-an-agent'])
  const cancelled = await createJob(till)
  await world.jobs.cancelJob({ organizationId: id, mode: 'live', jobId: cancelled, actor: 'api' })
  await createJob(office, { expireAfterSeconds: 60 })
  world.advance(2 * 60 * 60 * 1000)
  await world.sweep('jobs', 'expired')
  await count()
  const [february, january] = await listData('?interval=month')
  expect(january).toEqual({
    start: at('2026-01-01'),
    value: null,
    accepted: 6,
    done: 2,
    error: 2,
    cancelled: 1,
    expired: 0,
    reasons: [
      { state: 'error', reason: 'document-format-error', jobs: 1 },
      { state: 'error', reason: 'other', jobs: 1 },
    ],
    confirmedBy: { printer: 1, spooler: 1, nobody: 0 },
    secondsToPrinting: { p50: expect.closeTo(2, 0), p95: expect.closeTo(2, 0) },
    secondsToDone: { p50: expect.closeTo(8, 0), p95: expect.closeTo(8, 0) },
  })
  expect(february).toMatchObject({
    start: at('2026-02-01'),
    accepted: 0,
    expired: 1,
    confirmedBy: { printer: 0, spooler: 0, nobody: 0 },
    secondsToPrinting: null,
    secondsToDone: null,
  })
  const starts = async (query: string) => (await listData(query)).map(({ start }: { start: string }) => start)
  expect(await starts('')).toEqual([at('2026-02-01'), at('2026-01-31')])
  expect(await starts('?interval=hour&dir=asc')).toEqual([at('2026-01-31T22:00Z'), at('2026-02-01T00:00Z')])
})

test('hours are deleted after 9 days, days and months after 400 days; a page continues after the last entry', async () => {
  proves('statistics.retention', 'statistics.range')
  const world = await startOwnWorld({ clock: createTestClock(new Date('2026-01-31T22:30:00Z')) })
  const { till, office, end, listData, list, count, id } = await startStatistics(world)
  for (let day = 0; day < 3; day++) {
    for (const printer of [till, office]) await end(printer, { source: `day ${day}` })
    await end(till, {}, ['unconfirmed'])
    world.advance(DAY_MS)
  }
  await count()
  const days = await listData('')
  expect(days.map(({ done, error }: { done: number; error: number }) => [done, error])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
  ])
  expect(await listData(`?since=${days[1].start}&until=${days[0].start}`)).toEqual([days[1]])
  const pages: unknown[] = []
  let after = ''
  for (let hasMore = true; hasMore; ) {
    const { data, ...page } = await list(`?groupBy=printer&limit=2${after}`)
    pages.push(...data)
    hasMore = page.hasMore
    after = `&after=${page.nextCursor}`
  }
  expect(pages).toEqual(await listData('?groupBy=printer'))
  expect(pages.length).toBe(6)

  const sweptAfter = async (passed: number) => {
    world.advance(passed * DAY_MS)
    await world.sweep('usage', 'statistics')
    return Promise.all(
      ['hour', 'day', 'month'].map(
        async (interval) => (await listData(`?interval=${interval}&since=2020-01-01T00:00:00Z`)).length,
      ),
    )
  }
  expect(await sweptAfter(7)).toEqual([2, 3, 2])
  expect(await sweptAfter(3)).toEqual([0, 3, 2])
  expect(await sweptAfter(389)).toEqual([0, 1, 1])
  expect(await sweptAfter(1)).toEqual([0, 0, 1])
  expect(await sweptAfter(30)).toEqual([0, 0, 0])
  expect(await world.query('SELECT FROM usage.job_count WHERE organization_id = $1', [id])).toEqual([])
})
