import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { recordPrints } from '../../record-prints.ts'
import { addRecentCounts } from '../../timers/add-recent-counts.ts'
import { startStatistics } from '../test-statistics.ts'

test('a group or a filter has the jobs of each printer, computer, key or source; others are not counted', async () => {
  proves('statistics.group', 'statistics.filter', 'statistics.mode')
  const { till, office, end, listData, list, count, testApi, id, world } = await startStatistics()
  const key = '01890a5d-ac96-774b-bcce-b302099a8057'
  await end(till, { source: 'shop', createdBy: `key:${key}` })
  await end(till, { source: 'shop' })
  await end(office, { source: 'erp', createdBy: `user:${key}` })
  await count()
  const groups = async (query: string) =>
    Object.fromEntries((await listData(query)).map(({ value, done }: { value: string; done: number }) => [value, done]))
  expect(await groups('?groupBy=printer')).toEqual({ [till.id]: 2, [office.id]: 1 })
  expect(await groups('?groupBy=computer')).toEqual({ [till.computerId]: 2, [office.computerId]: 1 })
  expect(await groups('?groupBy=key')).toEqual({ [key]: 1, null: 2 })
  expect(await groups('?groupBy=source')).toEqual({ shop: 2, erp: 1 })
  expect(await groups(`?printerId=${till.id}`)).toEqual({ [till.id]: 2 })
  expect(await groups(`?computerId=${office.computerId}&groupBy=computer`)).toEqual({ [office.computerId]: 1 })
  expect(await groups(`?keyId=${key}`)).toEqual({ [key]: 1 })
  expect(await groups('?source=erp')).toEqual({ erp: 1 })
  expect((await list('', testApi)).data).toEqual([])
  expect(
    await world.query(
      `SELECT sum(accepted + jobs)::int AS jobs FROM usage.job_count
       WHERE organization_id = $1 GROUP BY interval, dimension`,
      [id],
    ),
  ).toEqual(Array(15).fill({ jobs: 6 }))
})

test('a job that has a reason when it is created and is printed has no reason in the counts', async () => {
  proves('statistics.reasons')
  const { till, end, listData, count } = await startStatistics()
  await end(till, { optionWarning: 'The printer does not offer `bin`.' })
  await count()
  expect(await listData('')).toMatchObject([{ accepted: 1, done: 1, reasons: [] }])
})

async function startEnding() {
  const { pool, usage } = await getWorld()
  const [organizationId, till, office] = [uuidv7(), uuidv7(), uuidv7()]
  return {
    organizationId,
    till,
    office,
    async end(facts: object, job: Partial<JobJson>, seconds = 8) {
      const [createdAt, finishedAt] = ['2026-01-31T10:00:00.000Z', `2026-01-31T10:0${Math.floor(seconds / 60)}:08.000Z`]
      const ended = {
        printerId: till,
        computerId: till,
        source: 'api',
        createdAt,
        finishedAt,
        stateReasons: [],
        ...job,
      }
      const event = { organizationId, mode: 'live', createdBy: '', at: finishedAt, job: ended as unknown as JobJson }
      await recordPrints(pool, [], [{ ...event, ...facts }], await newMove(pool, 'usage'))
    },
    /** Adds what was recorded first. */
    async summarize(from: string) {
      await addRecentCounts(pool, { isComplete: true })
      return await usage.summarizeJobs({ organizationId, mode: 'live', from: timestampFromDate(new Date(from)) })
    },
  }
}

test('the overview has the failures and the durations of an organization and mode since an hour', async () => {
  const { till, office, end, summarize } = await startEnding()
  const failed: Partial<JobJson> = { state: 'error', stateReasons: ['spooler-timeout'] }
  await end({}, failed)
  await end({}, { ...failed, printerId: office })
  await end({}, { state: 'expired' })
  await end({}, { state: 'cancelled' })
  await end({}, { state: 'done' })
  // None of these is in the answer.
  const others: object[] = [{ organizationId: uuidv7() }, { mode: 'test' }, { at: '2026-01-31T09:59:59.999Z' }]
  for (const other of others) {
    await end(other, { ...failed, printerId: uuidv7() })
    await end(other, { state: 'done', printerId: uuidv7() }, 480)
  }
  const { failures, done } = await summarize('2026-01-31T10:59:59.999Z')
  const [printerId] = [till, office].toSorted()
  expect(failures).toMatchObject([
    { state: 'error', reason: 'spooler-timeout', jobs: 2n, printers: 2, printerId },
    { state: 'expired', jobs: 1n, printers: 1, printerId: till },
  ])
  expect(failures).toHaveLength(2)
  expect(done?.p50Seconds).toBeCloseTo(8, -1)
  expect(done?.p95Seconds).toBe(done?.p50Seconds)
})

test('each job counts once for the durations of the overview, on whichever day and by whichever key', async () => {
  const { end, summarize } = await startEnding()
  for (let n = 0; n < 3; n++)
    await end({ at: '2026-01-30T23:30:00.000Z', createdBy: `key:${uuidv7()}` }, { state: 'done' })
  for (let n = 0; n < 2; n++) await end({}, { state: 'done' }, 480)
  const { done } = await summarize('2026-01-30T23:00:00.000Z')
  expect(done?.p50Seconds).toBeCloseTo(8, -1)
})

test.each([
  '?groupBy=key&printerId=01890a5d-ac96-774b-bcce-b302099a8057',
  '?source=a&keyId=01890a5d-ac96-774b-bcce-b302099a8057',
  '?interval=week',
  '?groupBy=title',
  '?since=yesterday',
])('%s is refused with the name of the parameter', async (query) => {
  proves('statistics.combinations')
  const { api } = await startStatistics()
  const { status, body } = await api.get(`/v1/statistics${query}`)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.message).toMatch(/`(groupBy=key|keyId|interval|groupBy|since)`/)
})
