import { BUDGETS } from '@platen/resources/budgets.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { NIL, v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { recordPrints } from '../../record-prints.ts'
import { addRecentCounts } from '../../timers/add-recent-counts.ts'

test('counts of few events are added to their intervals at once, those of many after 10 s or on request, and once by several replicas', async () => {
  const { pool } = await getWorld()
  const organizationId = uuidv7()
  const job = { printerId: uuidv7(), computerId: uuidv7(), source: 'api', finishedAt: null } as JobJson
  const record = async (count: number) => {
    const event = { organizationId, mode: 'live', createdBy: '', at: '2026-01-31T23:59:59.999Z', job }
    await recordPrints(pool, [], Array(count).fill(event), await newMove(pool, 'usage'))
  }
  const addTogether = () => Promise.all(Array.from({ length: 3 }, () => addRecentCounts(pool)))
  const readCount = async () => {
    const { rows } = await pool.query<{ accepted: number }>(
      `SELECT accepted::int FROM usage.job_count
       WHERE organization_id = $1 AND interval = 'month' AND dimension = 'all'`,
      [organizationId],
    )
    return rows[0]?.accepted
  }
  await addRecentCounts(pool, { isComplete: true })
  await record(499)
  await addTogether()
  expect(await readCount()).toBe(499)
  await record(500)
  await addTogether()
  expect(await readCount()).toBe(499)
  await pool.query(`UPDATE usage.recent_count SET created_at = created_at - interval '10 s'`)
  await addTogether()
  expect(await readCount()).toBe(999)
  for (let batch = 0; batch < 41; batch++) await record(500)
  await addRecentCounts(pool, { isComplete: true })
  expect(await readCount()).toBe(999 + 41 * 500)
})

test('counts that a process recorded before the confirmations were counted are added', async () => {
  const { pool } = await getWorld()
  const organizationId = uuidv7()
  const [printer_id, computer_id, key_id] = [uuidv7(), uuidv7(), NIL]
  const key = {
    organization_id: organizationId,
    mode: 'live',
    hour: '2026-01-31T23:00:00Z',
    printer_id,
    computer_id,
    key_id,
  }
  const counts = { ...key, source: 'api', state: 'done', reason: '', accepted: 1, jobs: 1, printing: '0', done: '0' }
  await pool.query('INSERT INTO usage.recent_count (events, counts) VALUES (1, $1)', [JSON.stringify([counts])])
  await addRecentCounts(pool, { isComplete: true })
  const { rows } = await pool.query(
    `SELECT jobs::int, by_printer::int FROM usage.job_count
     WHERE organization_id = $1 AND interval = 'month' AND dimension = 'all'`,
    [organizationId],
  )
  expect(rows).toEqual([{ jobs: 1, by_printer: 0 }])
})

test('a month has 1,000 sources of an organization in each mode; jobs of further ones are counted as those of `other`', async () => {
  proves('statistics.sources')
  const { pool } = await getWorld()
  const [organizationId, neighbour] = [uuidv7(), uuidv7()]
  const record = async (sources: string[], facts = {}, at = '2026-01-15T10:00:00.000Z') => {
    const events = sources.map((source) => {
      const job = { printerId: organizationId, computerId: organizationId, source, finishedAt: null } as JobJson
      return { organizationId, mode: 'live', createdBy: '', at, job, ...facts }
    })
    await recordPrints(pool, [], events, await newMove(pool, 'usage'))
    await addRecentCounts(pool, { isComplete: true })
  }
  const read = async (facts = {}, month = '2026-01-01') => {
    const { id, mode } = { id: organizationId, mode: 'live', ...facts }
    const { rows } = await pool.query<{ value: string; accepted: number }>(
      `SELECT value, sum(accepted)::int AS accepted FROM usage.job_count
       WHERE organization_id = $1 AND mode = $2 AND interval = 'month' AND dimension = 'source' AND start = $3
       GROUP BY value`,
      [id, mode, `${month}T00:00:00Z`],
    )
    return new Map(rows.map(({ value, accepted }) => [value, accepted]))
  }
  const { max } = BUDGETS.sources
  await record(Array.from({ length: max - 2 }, (_, n) => `order ${n}`))
  // Together one too many.
  await record(['order 1', 'till a', 'till b', 'till c', 'till c'])
  await record(['till a', 'till d'])
  const counted = await read()
  expect(counted.size).toBe(max + 1)
  expect(['order 1', 'till a', 'till b', 'till c', 'till d', 'other'].map((source) => counted.get(source))).toEqual([
    ...[2, 2, 1, undefined, undefined, 3],
  ])
  // These have months of their own.
  await record(['till c'], { mode: 'test' })
  await record(['till c'], { organizationId: neighbour })
  await record(['till c'], {}, '2026-02-01T00:00:00.000Z')
  for (const other of [await read({ mode: 'test' }), await read({ id: neighbour }), await read({}, '2026-02-01')])
    expect([...other]).toEqual([['till c', 1]])
  await record(['till c'])
  expect((await read()).get('other')).toBe(4)
})
