/** The ledger's one statement, against its own database: whatever comes twice, at once, and in whichever order. */
import { createDatabase } from '@platen/test/harness/database.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { type Print, recordPrints } from '../record-prints.ts'

async function startLedger(session = '') {
  const url = await createDatabase()
  const pool = new Pool({ connectionString: url, max: 8, options: session })
  onTestFinished(() => pool.end())
  return pool
}

const print = (facts: Partial<Print> = {}): Print => ({
  eventId: uuidv7(),
  organizationId: uuidv7(),
  jobId: uuidv7(),
  jobCreatedAt: new Date('2026-01-31T23:59:59.999Z'),
  ...facts,
})

async function counts(pool: Pool) {
  const { rows } = await pool.query<{ of: string; prints: number }>(
    `SELECT organization_id || ' ' || to_char(period_start AT TIME ZONE 'UTC', 'YYYY-MM') AS of, prints
     FROM usage.period_count`,
  )
  return Object.fromEntries(rows.map(({ of, prints }) => [of, prints]))
}

test('an event that comes again, in the same batch or in another one, is counted once', async () => {
  const pool = await startLedger()
  const [first, second] = [print(), print()]
  second.organizationId = first.organizationId
  await recordPrints(pool, [first, first])
  await recordPrints(pool, [second, first])
  await recordPrints(pool, [first])
  expect(await counts(pool)).toEqual({ [`${first.organizationId} 2026-01`]: 2 })
})

test('a batch of several organizations and months counts each for its own, by UTC whatever the session says', async () => {
  const pool = await startLedger('-c timezone=Pacific/Kiritimati')
  const [a, b] = [uuidv7(), uuidv7()]
  const february = new Date('2026-02-01T00:00:00.000Z')
  await recordPrints(pool, [
    print({ organizationId: a }),
    print({ organizationId: a, jobCreatedAt: february }),
    print({ organizationId: b }),
    print({ organizationId: a }),
  ])
  expect(await counts(pool)).toEqual({ [`${a} 2026-01`]: 2, [`${a} 2026-02`]: 1, [`${b} 2026-01`]: 1 })
})

test('replicas that record the same events at once, each in another order, count each of them once and never deadlock', async () => {
  const pool = await startLedger()
  const organizations = [uuidv7(), uuidv7(), uuidv7()]
  const prints = Array.from({ length: 600 }, (_, n) => print({ organizationId: organizations[n % 3] }))
  const batches = Array.from({ length: 24 }, (_, n) => {
    const turned = [...prints.slice(n * 25), ...prints.slice(0, n * 25)]
    return (n % 2 === 0 ? turned : turned.toReversed()).slice(0, 200)
  })
  const distinct = new Set(batches.flat().map(({ eventId }) => eventId))
  expect(distinct.size).toBe(600)
  await Promise.all(batches.map((batch) => recordPrints(pool, batch)))
  expect(await counts(pool)).toEqual(Object.fromEntries(organizations.map((id) => [`${id} 2026-01`, 200])))
})
