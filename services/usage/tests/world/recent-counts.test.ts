import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
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
      `SELECT accepted::int FROM usage.job_count WHERE organization_id = $1 AND interval = 'month' AND dimension = 'all'`,
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
