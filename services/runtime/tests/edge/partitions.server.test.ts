/** Tables partitioned by day. Each test has its own database, because the clock moves by weeks. */
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { trackMetrics } from '@platen/test/harness/metrics.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import {
  addDays,
  createPartitionedTable,
  type PartitionedTable,
  startOfDay,
  sweepPartitions,
  toDayName,
} from '../../database/partitions.ts'
import { parseDatabaseUrl } from '../../database/settings.ts'
import { createLogger } from '../../log.ts'

const DAY_MS = 24 * 60 * 60_000
/** The second table has the key of the first, like deliveries of events. */
const TABLES = { sale: 'id', receipt: 'sale_id' }

async function startPartitions(facts: Partial<PartitionedTable> = {}) {
  const databaseUrl = await createEmptyDatabase()
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => pool.end())
  const clock = createTestClock(new Date())
  const query = async <Row>(sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows as Row[]
  await query('CREATE SCHEMA shop')
  await query('CREATE TABLE shop.open_sale (id uuid)')
  const tables = Object.entries(TABLES).map(([name, key]) => ({ name, key, keptMs: 30 * DAY_MS, ...facts }))
  for (const { name, key } of tables)
    for (const statement of createPartitionedTable('shop', name, `${key} uuid PRIMARY KEY`, key)) await query(statement)
  const keep = () =>
    sweepPartitions(
      { clock, log: createLogger('test', 'silent') },
      { schema: 'shop', server: parseDatabaseUrl(databaseUrl), tables },
    )
  await keep()
  return {
    databaseUrl,
    clock,
    today: startOfDay(clock.now()),
    query,
    keep,
    async readDays(table: string): Promise<string[]> {
      const rows = await query<{ name: string }>(
        `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = ('shop.' || $1)::regclass ORDER BY 1`,
        [table],
      )
      return rows.map(({ name }) => name.slice(table.length + 1)).filter((name) => name !== 'other')
    },
    /** @returns the ids of sales with their partitions. */
    async readPartitions() {
      const sql = 'SELECT id, tableoid::regclass::text AS partition FROM shop.sale ORDER BY id'
      return (await query<{ id: string; partition: string }>(sql)).map(({ id, partition }) => [id, partition])
    },
    async addSale(at: Date): Promise<string> {
      const id = uuidv7({ msecs: at.getTime() })
      await query('INSERT INTO shop.sale VALUES ($1)', [id])
      await query('INSERT INTO shop.receipt VALUES ($1)', [id])
      return id
    },
  }
}

test('each day has a partition before it begins, with its rows; 6 concurrent replicas create each once', async () => {
  const { today, readDays, readPartitions, addSale, clock, keep } = await startPartitions()
  const names = Array.from({ length: 6 }, (_, n) => toDayName(addDays(today, n - 1)))
  for (const table of Object.keys(TABLES)) expect(await readDays(table)).toEqual(names.slice(0, 5))
  const last = await addSale(new Date(addDays(today, 1).getTime() - 1))
  const first = await addSale(addDays(today, 1))
  expect(await readPartitions()).toEqual([
    [last, `shop.sale_${names[1]}`],
    [first, `shop.sale_${names[2]}`],
  ])
  clock.advance(DAY_MS)
  expect(await Promise.all(Array.from({ length: 6 }, keep))).toContain(true)
  for (const table of Object.keys(TABLES)) expect(await readDays(table)).toEqual(names)
})

test('a partition is dropped when the retention of all its rows has ended, and not before', async () => {
  proves('feed.kept', 'feed.deleted')
  const { today, clock, addSale, readDays, readPartitions, keep } = await startPartitions()
  await addSale(today)
  clock.advance(addDays(today, 31).getTime() - clock.now().getTime() - 1)
  await keep()
  for (const table of Object.keys(TABLES)) expect(await readDays(table)).toContain(toDayName(today))
  expect(await readPartitions()).toHaveLength(1)
  clock.advance(1)
  await keep()
  for (const table of Object.keys(TABLES)) expect(await readDays(table)).not.toContain(toDayName(today))
  expect(await readPartitions()).toHaveLength(0)
})

test('a partition whose rows are still needed stays, with all later ones, and is measured as overdue until the rows are no longer needed', async () => {
  const overdue = 'platen_partitions_overdue_seconds{service="shop",table="sale"}'
  const readOverdue = await trackMetrics([overdue])
  const { today, clock, addSale, readDays, readPartitions, keep, query } = await startPartitions({
    stillNeeded: (until) => `EXISTS (SELECT FROM shop.open_sale WHERE id < ${until})`,
  })
  const other = await addSale(addDays(today, -20))
  const open = await addSale(addDays(today, 1))
  await query('INSERT INTO shop.open_sale VALUES ($1)', [open])
  clock.advance(40 * DAY_MS)
  await keep()
  expect(await readDays('sale')).not.toContain(toDayName(today))
  expect(await readDays('sale')).toEqual(expect.arrayContaining([1, 2, 3].map((n) => toDayName(addDays(today, n)))))
  expect((await readPartitions()).map(([id]) => id)).toEqual([other, open])
  expect((await readOverdue())[overdue]).toBe((clock.now().getTime() - addDays(today, 32).getTime()) / 1000)
  await query('DELETE FROM shop.open_sale')
  await keep()
  expect((await readOverdue())[overdue]).toBe(0)
  expect((await readDays('sale'))[0]).toBe(toDayName(addDays(today, 39)))
  expect(await readPartitions()).toEqual([])
})

test('rows of a day without a partition are moved when it is created, or deleted after their retention', async () => {
  const { today, clock, addSale, readPartitions, keep, query } = await startPartitions()
  const later = addDays(today, 9)
  const oldest = clock.now().getTime() - 30 * DAY_MS
  await addSale(new Date(oldest - 1))
  const old = await addSale(new Date(oldest))
  const early = await addSale(later)
  await keep()
  expect(await readPartitions()).toEqual([
    [old, 'shop.sale_other'],
    [early, 'shop.sale_other'],
  ])
  clock.advance(7 * DAY_MS)
  await keep()
  expect(await readPartitions()).toEqual([[early, `shop.sale_${toDayName(later)}`]])
  expect(await query(`SELECT FROM shop.receipt_${toDayName(later)}`)).toHaveLength(1)
})

test('a sweep that cannot lock the table fails, and the next one creates the partition', async () => {
  const { databaseUrl, clock, keep, readDays, today } = await startPartitions()
  const other = new Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => other.end())
  await other.query('BEGIN')
  await other.query('SELECT FROM shop.sale_other')
  clock.advance(DAY_MS)
  await expect(keep()).rejects.toThrow('lock timeout')
  await other.query('COMMIT')
  await waitFor(async () => expect(await keep()).toBe(true))
  expect(await readDays('sale')).toContain(toDayName(addDays(today, 4)))
})
