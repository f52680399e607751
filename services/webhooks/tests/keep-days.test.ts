import { createLogger } from '@platen/runtime/log.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { addDays, dayName, dayOf } from '../events/event-days.ts'
import { keepDays } from '../timers/keep-days.ts'
import { startTestWebhooks, type TestWebhooks } from './start-test-webhooks.ts'

const DAY_SECONDS = 24 * 60 * 60
const TABLES = ['event', 'delivery', 'attempt']
const TENANT = { organizationId: uuidv7(), mode: 'live' }

test('each day has a table of its own before it begins, and yesterday has one', async () => {
  const webhooks = await startTestWebhooks()
  const today = dayOf(webhooks.clock.now())
  const expected = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, n) => dayName(addDays(today, first + n)))
  for (const table of TABLES) expect(await daysOf(webhooks, table)).toEqual(expected(-1, 3))

  webhooks.clock.advanceSeconds(DAY_SECONDS)
  await sweep(webhooks)

  for (const table of TABLES) expect(await daysOf(webhooks, table)).toEqual(expected(-1, 4))
})

test('what happens lies in the table of its day, and the default one stays empty', async () => {
  const webhooks = await startTestWebhooks()
  const today = dayOf(webhooks.clock.now())
  const lastOfToday = await addEvent(webhooks, new Date(addDays(today, 1).getTime() - 1))
  const firstOfTomorrow = await addEvent(webhooks, addDays(today, 1))

  const places = await webhooks.query<{ id: string; place: string }>(
    `SELECT id, tableoid::regclass::text AS place FROM webhooks.event`,
  )

  expect(new Map(places.map(({ id, place }) => [id, place]))).toEqual(
    new Map([
      [lastOfToday, `webhooks.event_${dayName(today)}`],
      [firstOfTomorrow, `webhooks.event_${dayName(addDays(today, 1))}`],
    ]),
  )
})

test('a day is dropped when all of it is older than 30 days, and not before', async () => {
  const webhooks = await startTestWebhooks()
  const today = dayOf(webhooks.clock.now())
  await addEvent(webhooks, today)
  const endOfRetention = addDays(today, 31)

  webhooks.clock.advanceSeconds((endOfRetention.getTime() - webhooks.clock.now().getTime()) / 1000 - 1)
  await sweep(webhooks)
  for (const table of TABLES) expect(await daysOf(webhooks, table)).toContain(dayName(today))
  expect(await countEvents(webhooks)).toBe(1)

  webhooks.clock.advanceSeconds(1)
  await sweep(webhooks)
  for (const table of TABLES) expect(await daysOf(webhooks, table)).not.toContain(dayName(today))
  expect(await countEvents(webhooks)).toBe(0)
})

test('what landed where its day had no table is moved when the day is made, and seen all the time', async () => {
  const webhooks = await startTestWebhooks()
  const later = addDays(dayOf(webhooks.clock.now()), 9)
  const id = await addEvent(webhooks, later)
  await addDelivery(webhooks, later)
  expect(await countEvents(webhooks, 'webhooks.event_other')).toBe(1)

  webhooks.clock.advanceSeconds(7 * DAY_SECONDS)
  await sweep(webhooks)

  expect(await countEvents(webhooks, 'webhooks.event_other')).toBe(0)
  const [found] = await webhooks.query(`SELECT tableoid::regclass::text AS place FROM webhooks.event WHERE id = $1`, [
    id,
  ])
  expect(found).toEqual({ place: `webhooks.event_${dayName(later)}` })
  expect(await countEvents(webhooks, `webhooks.delivery_${dayName(later)}`)).toBe(1)
})

test('what is in the default table of a day that is over for long is deleted in its time', async () => {
  const webhooks = await startTestWebhooks()
  const now = webhooks.clock.now()
  await addEvent(webhooks, new Date(now.getTime() - 30 * DAY_SECONDS * 1000 - 1))
  const kept = await addEvent(webhooks, new Date(now.getTime() - 30 * DAY_SECONDS * 1000))

  await sweep(webhooks)

  expect(await webhooks.query(`SELECT id FROM webhooks.event`)).toEqual([{ id: kept }])
})

test('replicas that all keep the days make each once', async () => {
  const webhooks = await startTestWebhooks()
  webhooks.clock.advanceSeconds(5 * DAY_SECONDS)

  await Promise.all(Array.from({ length: 6 }, () => sweep(webhooks)))

  const last = dayName(addDays(dayOf(webhooks.clock.now()), 3))
  for (const table of TABLES) expect(await daysOf(webhooks, table)).toContain(last)
})

test('nobody who reads or writes waits long for a day that cannot be made, and it is made at the next turn', async () => {
  const webhooks = await startTestWebhooks()
  const database = new Client({ connectionString: webhooks.databaseUrl })
  await database.connect()
  onTestFinished(() => database.end())
  await database.query('BEGIN')
  await database.query(`SELECT count(*) FROM webhooks.event_other`)
  webhooks.clock.advanceSeconds(DAY_SECONDS)

  await waitFor(() => expect(keep(webhooks)).rejects.toThrow('lock timeout'))
  await database.query('COMMIT')
  await sweep(webhooks)

  expect(await daysOf(webhooks, 'event')).toContain(dayName(addDays(dayOf(webhooks.clock.now()), 3)))
})

const keep = ({ clock, databaseUrl, config }: TestWebhooks) =>
  keepDays({ clock, log: createLogger('test'), eventRetentionMs: config.eventRetentionMs }, databaseUrl)

/** The service's own timer may be at it. */
const sweep = (webhooks: TestWebhooks) => waitFor(async () => expect(await keep(webhooks)).toBe(true))

async function daysOf({ query }: TestWebhooks, table: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = ('webhooks.' || $1)::regclass ORDER BY 1`,
    [table],
  )
  return rows.map(({ name }) => name.slice(table.length + 1)).filter((name) => name !== 'other')
}

async function countEvents({ query }: TestWebhooks, table = 'webhooks.event'): Promise<number> {
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return row?.count ?? Number.NaN
}

async function addEvent({ query }: TestWebhooks, at: Date): Promise<string> {
  const id = uuidv7({ msecs: at.getTime() })
  await query(
    `INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at)
     VALUES ($1, $2, $3, 'printjob.done', '{}', $4)`,
    [id, TENANT.organizationId, TENANT.mode, at],
  )
  return id
}

async function addDelivery({ query }: TestWebhooks, at: Date): Promise<void> {
  await query(
    `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, created_at)
     VALUES ($1, $2, $3, 'printjob.done', 'missed', $4)`,
    [uuidv7({ msecs: at.getTime() }), uuidv7(), uuidv7(), at],
  )
}
