/** The statement that writes the ledger: repeated events and batches of several replicas. */
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { type Print, recordPrints } from '../../record-prints.ts'
import { addRecentCounts } from '../../timers/add-recent-counts.ts'

async function startLedger(session = '') {
  const { databaseUrl } = await getWorld()
  const pool = new Pool({ connectionString: databaseUrl, max: 8, options: session })
  onTestFinished(() => pool.end())
  return {
    /** The prints come as a batch of a separate log. */
    record: async (prints: Print[]) => await recordPrints(pool, prints, [], await newMove(pool, 'usage')),
    pool,
    async readCounts(...organizationIds: string[]) {
      const { rows } = await pool.query<{ of: string; prints: number }>(
        `SELECT organization_id || ' ' || to_char(period_start AT TIME ZONE 'UTC', 'YYYY-MM') AS of, prints
         FROM usage.period_count WHERE organization_id = ANY($1)`,
        [organizationIds],
      )
      return Object.fromEntries(rows.map(({ of, prints }) => [of, prints]))
    },
  }
}

const print = (organizationId: string, jobCreatedAt = new Date('2026-01-31T23:59:59.999Z')): Print => ({
  eventId: uuidv7(),
  organizationId,
  jobId: uuidv7(),
  jobCreatedAt,
})

test('a repeated event, in the same or another batch, is counted once', async () => {
  const { record, readCounts } = await startLedger()
  const id = uuidv7()
  const [first, second] = [print(id), print(id)]
  for (const batch of [[first, first], [second, first], [first]]) await record(batch)
  expect(await readCounts(id)).toEqual({ [`${id} 2026-01`]: 2 })
})

test('a batch is counted by organization and month in UTC, in any time zone of the session', async () => {
  const { record, readCounts } = await startLedger('-c timezone=Pacific/Kiritimati')
  const [a, b] = [uuidv7(), uuidv7()]
  await record([print(a), print(a, new Date('2026-02-01T00:00:00.000Z')), print(b), print(a)])
  expect(await readCounts(a, b)).toEqual({ [`${a} 2026-01`]: 2, [`${a} 2026-02`]: 1, [`${b} 2026-01`]: 1 })
})

test('a batch whose cursor another replica has moved records nothing, and none of the statistics', async () => {
  const { pool, readCounts } = await startLedger()
  const id = uuidv7()
  const move = await newMove(pool, 'usage')
  const job = { printerId: uuidv7(), computerId: uuidv7(), source: 'api', finishedAt: null } as JobJson
  const counted = { organizationId: id, mode: 'live', createdBy: '', at: '2026-01-31T23:59:59.999Z', job }
  const batches = Array.from({ length: 8 }, () => recordPrints(pool, [print(id)], [counted], move))
  expect((await Promise.all(batches)).toSorted()).toEqual([...Array(7).fill(false), true])
  expect(await readCounts(id)).toEqual({ [`${id} 2026-01`]: 1 })
  await addRecentCounts(pool, { isComplete: true })
  const { rows } = await pool.query<{ accepted: number }>(
    `SELECT sum(accepted)::int AS accepted FROM usage.job_count
     WHERE organization_id = $1 GROUP BY interval, dimension`,
    [id],
  )
  expect(rows).toEqual(Array(15).fill({ accepted: 1 }))
})
