/** The partitions of events, deliveries and attempts, in a database of the test: its clock moves by weeks. */
import { createLogger } from '@platen/runtime/log.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { addDays, dayName, dayOf } from '../../events/event-days.ts'
import { listQuery } from '../../list-deliveries.ts'
import { keepDays } from '../../timers/keep-days.ts'
import { DAY_MS } from '../webhooks-world.ts'

const TABLES = ['event', 'delivery', 'attempt'] as const

async function startDays() {
  const databaseUrl = await createDatabase()
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => pool.end())
  const clock = createTestClock(new Date())
  const query = async <Row>(sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows as Row[]
  const keep = () =>
    keepDays({ clock, log: createLogger('test', 'silent'), eventRetentionMs: 30 * DAY_MS }, databaseUrl)
  await keep()
  return {
    databaseUrl,
    clock,
    today: dayOf(clock.now()),
    query,
    keep,
    async readDays(table: string): Promise<string[]> {
      const rows = await query<{ name: string }>(
        `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = ('webhooks.' || $1)::regclass ORDER BY 1`,
        [table],
      )
      return rows.map(({ name }) => name.slice(table.length + 1)).filter((name) => name !== 'other')
    },
    /** @returns the ids of events by the tables that they are in. */
    async readPlaces() {
      const sql = 'SELECT id, tableoid::regclass::text AS place FROM webhooks.event ORDER BY id'
      return (await query<{ id: string; place: string }>(sql)).map(({ id, place }) => [id, place])
    },
    async addEvent(at: Date): Promise<string> {
      const id = uuidv7({ msecs: at.getTime() })
      await query(
        `INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at)
         VALUES ($1, $2, 'live', 'printjob.done', '{}', $3)`,
        [id, uuidv7(), at],
      )
      return id
    },
  }
}

test('each day has a table before it begins, with its events; 6 concurrent replicas make each once', async () => {
  const { today, readDays, readPlaces, addEvent, clock, keep } = await startDays()
  const names = Array.from({ length: 6 }, (_, n) => dayName(addDays(today, n - 1)))
  for (const table of TABLES) expect(await readDays(table)).toEqual(expect.arrayContaining(names.slice(0, 5)))
  const last = await addEvent(new Date(addDays(today, 1).getTime() - 1))
  const first = await addEvent(addDays(today, 1))
  expect(await readPlaces()).toEqual([
    [last, `webhooks.event_${names[1]}`],
    [first, `webhooks.event_${names[2]}`],
  ])
  clock.advance(DAY_MS)
  expect(await Promise.all(Array.from({ length: 6 }, keep))).toContain(true)
  for (const table of TABLES) expect((await readDays(table)).slice(-5)).toEqual(names.slice(1))
})

test('a day is dropped when all of it is older than 30 days, and not before [feed.kept feed.deleted]', async () => {
  const { today, clock, addEvent, readDays, readPlaces, keep } = await startDays()
  await addEvent(today)
  clock.advance(addDays(today, 31).getTime() - clock.now().getTime() - 1)
  await keep()
  for (const table of TABLES) expect(await readDays(table)).toContain(dayName(today))
  expect(await readPlaces()).toHaveLength(1)
  clock.advance(1)
  await keep()
  for (const table of TABLES) expect(await readDays(table)).not.toContain(dayName(today))
  expect(await readPlaces()).toHaveLength(0)
})

test('rows of a day without a table are moved when it is made, or deleted after 30 days', async () => {
  const { today, clock, addEvent, readPlaces, keep, query } = await startDays()
  const later = addDays(today, 9)
  const oldest = clock.now().getTime() - 30 * DAY_MS
  await addEvent(new Date(oldest - 1))
  const old = await addEvent(new Date(oldest))
  const early = await addEvent(later)
  await query(
    `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, created_at)
     VALUES ($1, $2, $3, 'printjob.done', 'missed', $4)`,
    [uuidv7({ msecs: later.getTime() }), uuidv7(), early, later],
  )
  await keep()
  expect(await readPlaces()).toEqual([
    [old, 'webhooks.event_other'],
    [early, 'webhooks.event_other'],
  ])
  clock.advance(7 * DAY_MS)
  await keep()
  expect(await readPlaces()).toEqual([[early, `webhooks.event_${dayName(later)}`]])
  expect(await query(`SELECT FROM webhooks.delivery_${dayName(later)}`)).toHaveLength(1)
})

test('a day that cannot be locked is not waited for, and is made by the next sweep', async () => {
  const { databaseUrl, clock, keep, readDays, today } = await startDays()
  const other = new Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => other.end())
  await other.query('BEGIN')
  await other.query('SELECT FROM webhooks.event_other')
  clock.advance(DAY_MS)
  await expect(keep()).rejects.toThrow('lock timeout')
  await other.query('COMMIT')
  await waitFor(async () => expect(await keep()).toBe(true))
  expect(await readDays('event')).toContain(dayName(addDays(today, 4)))
})

test('a page of deliveries is read by the index with the filters, in each day', async () => {
  const { query, readDays } = await startDays()
  const endpoint = { organizationId: uuidv7(), mode: 'test', endpointId: uuidv7() }
  const filters = { statuses: ['failed'], eventTypes: ['printer.added'] }
  const page = { after: { place: 7n, id: endpoint.endpointId }, ascending: false, rows: 26 }
  const { sql, values } = listQuery(endpoint, filters, page, 'delivery.id')
  const statement = sql.replaceAll(
    /\$(\d+)/g,
    (_, n) =>
      `'${[values[Number(n) - 1]]
        .flat()
        .join()
        .replace(/^(failed|printer.added)$/, '{$1}')}'`,
  )
  await query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off')
  const plan = (await query<Record<string, string>>(`EXPLAIN ${statement}`)).map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Merge Append')
  const days = (await readDays('delivery')).length + 1
  expect(plan.match(/Index Only Scan Backward using delivery_\w+_endpoint_id/g)).toHaveLength(days)
  expect(plan).not.toContain('Seq Scan')
})
