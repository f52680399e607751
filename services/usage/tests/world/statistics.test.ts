import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
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
      `SELECT sum(accepted + jobs)::int AS jobs FROM usage.job_count WHERE organization_id = $1 GROUP BY interval, dimension`,
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
