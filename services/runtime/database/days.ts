/**
 * Tables that are kept by the day, in partitions that are dropped whole, so that PostgreSQL has no row to delete and nothing to vacuum.
 * Their keys are, or begin with, UUIDv7, whose order is that of time: each row lies in one UTC day.
 *
 * A row whose day has no partition lies in the default one (`<table>_other`): when the service was down for days, or when its timer was.
 * Its day is then made out of it, if that is still to come; else it is deleted there in its time.
 */
import { Client } from 'pg'
import type { Clock } from '../clock.ts'
import type { ServiceProcess } from '../process.ts'
import { startTimer } from '../timers.ts'
import { patientConnection } from './connection-settings.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What happened just before midnight comes after it. */
const DAYS_BEFORE = 1
/** Days are made long before they come. */
const DAYS_AHEAD = 3
const KEEP_EVERY_MS = 10 * 60_000
/** Everybody who reads or writes waits behind a lock of this; what is not locked in time is done at the next turn. */
const LOCK_WITHIN = '500ms'

/** A UTC day, by its beginning. */
export const dayOf = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)

export const addDays = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS)

/** `20260302`, as the partition of a day is named: `event_20260302`. */
export const dayName = (day: Date) => day.toISOString().slice(0, 10).replaceAll('-', '')

/** @returns undefined for what is no day's name. */
function dayNamed(name: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year ? new Date(`${year}-${month}-${day}T00:00:00Z`) : undefined
}

/** Not above any UUIDv7 that was made at this time or later, and above every earlier one. */
export function lowestId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/**
 * The statements of a migration that makes such a table.
 *
 * @param columns with their constraints, as in CREATE TABLE. @param key the UUIDv7.
 */
export const createDays = (schema: string, table: string, columns: string, key: string): string[] => [
  `CREATE TABLE ${schema}.${table} (${columns}) PARTITION BY RANGE (${key})`,
  `CREATE TABLE ${schema}.${table}_other PARTITION OF ${schema}.${table} DEFAULT`,
]

export interface DailyTable {
  name: string
  /** The column that is, or begins with, the UUIDv7. */
  key: string
  /** A day goes so long after its end. */
  keptMs: number
  /** SQL of a condition on which the rows below a key stay for longer. @param until the key, in SQL. */
  stillNeeded?: (until: string) => string
}

export interface Days {
  schema: string
  databaseUrl: string
  tables: DailyTable[]
}

/** Keeps the partitions until the process stops. Those of today are there when this comes back, unless the database is away. */
export async function startDays(service: ServiceProcess, clock: Clock, days: Days): Promise<void> {
  const sweep = () => keepDays({ clock, log: service.log }, days)
  // Before the first row, which else would have to be moved.
  await sweep().catch((error: unknown) => service.log.warn({ err: error }, 'today has no table yet'))
  startTimer(service, 'days', KEEP_EVERY_MS, sweep)
}

/**
 * Makes the partitions of the days to come and drops those that are kept no longer. One replica at a time.
 *
 * @returns whether this call did it, and no other one that is at work.
 */
export async function keepDays(
  { clock, log }: { clock: Pick<Clock, 'now'>; log: ServiceProcess['log'] },
  { schema, databaseUrl, tables }: Days,
): Promise<boolean> {
  // Of its own, since making a day out of many rows may take longer than a hot connection allows.
  const client = new Client({ connectionString: databaseUrl, ...patientConnection(`platen-${schema}-days`) })
  client.on('error', (error) => log.debug({ err: error }, 'the connection of the days failed'))
  await client.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS mine', [
      `platen ${schema} days`,
    ])
    if (!rows[0]?.mine) return false
    await client.query(`SET lock_timeout = '${LOCK_WITHIN}'`)
    for (const table of tables) await keepTable(client, schema, table, clock.now())
    return true
  } finally {
    await client.end()
  }
}

async function keepTable(client: Client, schema: string, table: DailyTable, now: Date): Promise<void> {
  const { name, key, keptMs, stillNeeded } = table
  const today = dayOf(now)
  const keptSince = new Date(now.getTime() - keptMs)
  const days = await daysOf(client, schema, name)
  for (let ahead = -DAYS_BEFORE; ahead <= DAYS_AHEAD; ahead++) {
    const day = addDays(today, ahead)
    if (!days.has(dayName(day)) && addDays(day, 1) > keptSince) await addDay(client, schema, table, day)
  }
  for (const of of [...days].sort()) {
    const day = dayNamed(of)
    if (!day || addDays(day, 1) > keptSince) continue
    if (stillNeeded && (await isTrue(client, stillNeeded(`'${lowestId(addDays(day, 1))}'::uuid`)))) return
    await client.query(`DROP TABLE ${schema}.${name}_${of}`)
  }
  const until = `'${lowestId(keptSince)}'::uuid`
  const unless = stillNeeded ? ` AND NOT ${stillNeeded(until)}` : ''
  await client.query(`DELETE FROM ${schema}.${name}_other WHERE ${key} < ${until}${unless}`)
}

async function isTrue(client: Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT ${condition} AS is`)
  return rows[0]?.is ?? false
}

async function daysOf(client: Client, schema: string, table: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT substr(relname, length($2) + 2) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = ($1 || '.' || $2)::regclass`,
    [schema, table],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Attaching locks only the default partition, which is empty in normal operation. */
async function addDay(client: Client, schema: string, { name, key }: DailyTable, day: Date): Promise<void> {
  const [parent, other, own] = ['', '_other', `_${dayName(day)}`].map((suffix) => `${schema}.${name}${suffix}`)
  const [from, to] = [lowestId(day), lowestId(addDays(day, 1))]
  await client.query('BEGIN')
  try {
    await client.query(`LOCK TABLE ${other} IN ACCESS EXCLUSIVE MODE`)
    await client.query(`CREATE TABLE ${own} (LIKE ${parent} INCLUDING ALL)`)
    await client.query(
      `WITH moved AS (DELETE FROM ${other} WHERE ${key} >= '${from}' AND ${key} < '${to}' RETURNING *)
       INSERT INTO ${own} SELECT * FROM moved`,
    )
    await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${own} FOR VALUES FROM ('${from}') TO ('${to}')`)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
