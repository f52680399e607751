/**
 * Makes the tables of the days to come, and drops those of the days that are kept no longer: whole, so that PostgreSQL has no row to delete
 * and nothing to vacuum. One replica at a time; who finds another one at work leaves it to that.
 *
 * What it needs of locks it waits for only briefly, since everybody who reads or writes waits behind it; what it does not get is done at
 * the next turn, with days to spare. A row whose day has no table lies in the default one: when these services were down for days, or when
 * this timer was. Its day is then made out of it, if that is still to come; else it is deleted there in its time.
 */
import { patientConnection } from '@platen/runtime/database/connection-settings.ts'
import { Client } from 'pg'
import { addDays, dayName, dayNamed, dayOf, lowestId } from '../events/event-days.ts'
import type { Webhooks } from '../webhooks.ts'

/** By their key, which is or begins with the UUIDv7. */
const TABLES = { event: 'id', delivery: 'id', attempt: 'delivery_id' } as const
type Table = keyof typeof TABLES

/** What happened just before midnight comes after it. */
const DAYS_BEFORE = 1
const DAYS_AHEAD = 3
const LOCK_WITHIN = '500ms'

/** @returns whether this call did it, and no other one that is at work. */
export async function keepDays(
  { clock, log, eventRetentionMs }: Pick<Webhooks, 'clock' | 'log' | 'eventRetentionMs'>,
  databaseUrl: string,
): Promise<boolean> {
  // Of its own, since making a day out of many rows may take longer than a hot connection allows.
  const client = new Client({ connectionString: databaseUrl, ...patientConnection('platen-webhooks-days') })
  client.on('error', (error) => log.debug({ err: error }, 'the connection of the days failed'))
  await client.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('platen webhooks days')) AS mine`,
    )
    if (!rows[0]?.mine) return false
    await client.query(`SET lock_timeout = '${LOCK_WITHIN}'`)
    const today = dayOf(clock.now())
    const keptSince = new Date(clock.now().getTime() - eventRetentionMs)
    for (const table of Object.keys(TABLES) as Table[]) {
      const days = await daysOf(client, table)
      for (let ahead = -DAYS_BEFORE; ahead <= DAYS_AHEAD; ahead++) {
        const day = addDays(today, ahead)
        if (!days.has(dayName(day)) && addDays(day, 1) > keptSince) await addDay(client, table, day)
      }
      for (const name of days) {
        const day = dayNamed(name)
        if (day && addDays(day, 1) <= keptSince) await client.query(`DROP TABLE webhooks.${table}_${name}`)
      }
      await client.query(`DELETE FROM webhooks.${table}_other WHERE ${TABLES[table]} < $1`, [lowestId(keptSince)])
    }
    return true
  } finally {
    await client.end()
  }
}

async function daysOf(client: Client, table: Table): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT substr(relname, length($1) + 2) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = ('webhooks.' || $1)::regclass`,
    [table],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Attaching locks nobody out but from the default table, which nobody needs but in trouble. */
async function addDay(client: Client, table: Table, day: Date): Promise<void> {
  const name = `webhooks.${table}_${dayName(day)}`
  const key = TABLES[table]
  const [from, to] = [lowestId(day), lowestId(addDays(day, 1))]
  await client.query('BEGIN')
  try {
    await client.query(`LOCK TABLE webhooks.${table}_other IN ACCESS EXCLUSIVE MODE`)
    await client.query(`CREATE TABLE ${name} (LIKE webhooks.${table} INCLUDING ALL)`)
    await client.query(
      `WITH moved AS (DELETE FROM webhooks.${table}_other WHERE ${key} >= '${from}' AND ${key} < '${to}' RETURNING *)
       INSERT INTO ${name} SELECT * FROM moved`,
    )
    await client.query(
      `ALTER TABLE webhooks.${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
