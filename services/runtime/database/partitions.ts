/**
 * Tables partitioned by UTC day. Expired days are dropped as whole partitions, so PostgreSQL deletes and vacuums no
 * single rows. The key is a UUIDv7 or begins with one, so its order is the order of time.
 *
 * If the service or the timer did not run for days, rows go to the default partition (`<table>_other`). The next run
 * moves them to the partition of their day, or deletes them there after their retention.
 */
import { Client, type ClientConfig } from 'pg'
import type { Clock } from '../clock.ts'
import type { ServiceProcess } from '../process.ts'
import { partitionsOverdue } from '../telemetry/metrics.ts'
import { startTimer } from '../timers.ts'
import { untimedConnection } from './connection-settings.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Rows of the previous day can arrive after midnight. */
const DAYS_BEFORE = 1
const DAYS_AHEAD = 3
const SWEEP_EVERY_MS = 10 * 60_000
/**
 * Readers and writers of the table queue behind a waiting lock. A statement that times out is retried by the next
 * sweep.
 */
const LOCK_TIMEOUT = '500ms'

/** The start of the UTC day of `time`. */
export const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)

export const addDays = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS)

/** The suffix of a partition: `20260302` of `event_20260302`. */
export const toDayName = (day: Date) => day.toISOString().slice(0, 10).replaceAll('-', '')

/** @returns undefined if `name` is not a day, for example `other`. */
function parseDay(name: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year ? new Date(`${year}-${month}-${day}T00:00:00Z`) : undefined
}

/** The lower bound of all UUIDv7 generated at `time` or later. */
export function lowestId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** @returns the time of a UUIDv7. */
export const getTime = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

/**
 * Migration statements that create a partitioned table.
 *
 * @param columns with constraints, as in CREATE TABLE. @param key the UUIDv7 column.
 */
export const createPartitionedTable = (schema: string, table: string, columns: string, key: string): string[] => [
  `CREATE TABLE ${schema}.${table} (${columns}) PARTITION BY RANGE (${key})`,
  `CREATE TABLE ${schema}.${table}_other PARTITION OF ${schema}.${table} DEFAULT`,
]

export interface PartitionedTable {
  name: string
  /** The column with the UUIDv7. */
  key: string
  /** Retention, counted from the end of a day. */
  keptMs: number
  /** SQL condition that extends the retention of the rows below a key. @param until the key, in SQL. */
  stillNeeded?: (until: string) => string
}

export interface Partitions {
  schema: string
  server: ClientConfig
  tables: PartitionedTable[]
}

/** Creates the partitions of today and starts the timer that maintains them. */
export async function startPartitions(service: ServiceProcess, clock: Clock, days: Partitions): Promise<void> {
  const sweep = () => sweepPartitions({ clock, log: service.log }, days)
  // Before the first row, which would otherwise go to the default partition.
  await sweep().catch((error: unknown) => service.log.warn({ err: error }, 'partition sweep failed, retrying'))
  startTimer(service, 'days', SWEEP_EVERY_MS, sweep)
}

/**
 * Creates the partitions of the next days and drops expired ones. Runs in one replica at a time.
 *
 * @returns false if another replica holds the lock.
 */
export async function sweepPartitions(
  { clock, log }: { clock: Pick<Clock, 'now'>; log: ServiceProcess['log'] },
  { schema, server, tables }: Partitions,
): Promise<boolean> {
  // A connection without a statement timeout, because moving many rows to a new partition can take long.
  const client = new Client({ ...server, ...untimedConnection(`platen-${schema}-days`) })
  client.on('error', (error) => log.debug({ err: error }, 'partition sweep lost its connection'))
  await client.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS mine', [
      `platen ${schema} days`,
    ])
    if (!rows[0]?.mine) return false
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    for (const table of tables) await sweepTable(client, schema, table, clock)
    return true
  } finally {
    await client.end()
  }
}

async function sweepTable(
  client: Client,
  schema: string,
  table: PartitionedTable,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const { name, key, keptMs, stillNeeded } = table
  const now = clock.now()
  const today = startOfDay(now)
  const keptSince = new Date(now.getTime() - keptMs)
  const days = await listPartitions(client, schema, name)
  // Grows also while sweeps fail.
  partitionsOverdue.observe({ service: schema, table: name }, () => {
    const kept = [...days].flatMap((suffix) => parseDay(suffix)?.getTime() ?? [])
    return Math.max(0, clock.now().getTime() - Math.min(...kept) - DAY_MS - keptMs) / 1000
  })
  for (let ahead = -DAYS_BEFORE; ahead <= DAYS_AHEAD; ahead++) {
    const day = addDays(today, ahead)
    if (!days.has(toDayName(day)) && addDays(day, 1) > keptSince) await addPartition(client, schema, table, day)
  }
  for (const suffix of [...days].sort()) {
    const day = parseDay(suffix)
    if (!day || addDays(day, 1) > keptSince) continue
    if (stillNeeded && (await isTrue(client, stillNeeded(`'${lowestId(addDays(day, 1))}'::uuid`)))) break
    await client.query(`DROP TABLE ${schema}.${name}_${suffix}`)
    days.delete(suffix)
  }
  const until = `'${lowestId(keptSince)}'::uuid`
  const unless = stillNeeded ? ` AND NOT ${stillNeeded(until)}` : ''
  await client.query(`DELETE FROM ${schema}.${name}_other WHERE ${key} < ${until}${unless}`)
}

async function isTrue(client: Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT ${condition} AS is`)
  return rows[0]?.is ?? false
}

/** @returns the suffixes of the partitions. */
async function listPartitions(client: Client, schema: string, table: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT substr(relname, length($2) + 2) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = ($1 || '.' || $2)::regclass`,
    [schema, table],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Moves rows of the day from the default partition, which is the only one that is locked and normally empty. */
async function addPartition(client: Client, schema: string, { name, key }: PartitionedTable, day: Date): Promise<void> {
  const [parent, other, own] = ['', '_other', `_${toDayName(day)}`].map((suffix) => `${schema}.${name}${suffix}`)
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
