/**
 * Migrates the schema of a service. Each migration is one transaction: several in one would raise their locks on a
 * table and end in a deadlock with the services of the previous release. A migration that waits for a table gives way
 * and begins again, so that requests neither end in a deadlock with it nor wait behind it. An advisory lock serializes
 * replicas that start together, so each migration runs once. Waits for a database that is still starting or read-only.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, type DatabaseError, escapeIdentifier } from 'pg'
import { ConfigError } from '../config.ts'
import type { Logger } from '../log.ts'
import type { ServiceProcess } from '../process.ts'
import { retry } from '../retry.ts'
import { lockSchema } from './commit-seq.ts'
import { untimedConnection } from './connection-settings.ts'
import { prepareConnection } from './prepare-connection.ts'

/** Migrations run in the order of their names. A released migration never changes. */
export interface Migration {
  name: string
  statements: string[]
}

const WAIT_FOR_DATABASE_MS = 30_000
const RETRY_MS = 200
const WAIT_FOR_MIGRATIONS_MS = 1_000
/** For a lock of a migration. Less than `deadlock_timeout`, after which the server ends the migration or a request. */
const LOCK_TIMEOUT_MS = 500
/** Between two attempts, so that requests that waited are done. */
const GIVE_WAY_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Accepts a schema that a later release has migrated.
 *
 * @returns the names of the migrations that it ran.
 * @throws ConfigError if a development version created the schema.
 */
export async function migrate(
  log: Logger,
  server: ClientConfig,
  schema: string,
  migrations: Migration[],
): Promise<string[]> {
  const client = await connect(log, server, schema)
  const names: string[] = []
  try {
    for (;;) {
      const name = await retry(() => runNext(client, schema, migrations), {
        pauseMs: GIVE_WAY_MS,
        repeats(error) {
          const isLocked = (error as DatabaseError).code === LOCK_NOT_AVAILABLE
          if (isLocked) log.info({ schema, reason: (error as Error).message }, 'migration waits for requests')
          return isLocked
        },
      })
      if (name === undefined) return names
      log.info({ schema, migration: name }, 'migrated')
      names.push(name)
    }
  } finally {
    await client.end()
  }
}

/** @returns the name of the migration that it ran; undefined if none is pending. */
async function runNext(client: Client, schema: string, migrations: Migration[]): Promise<string | undefined> {
  await client.query('BEGIN')
  await lockSchema(client, schema)
  const done = await openSchema(client, schema)
  if (isOfDevelopment(done, migrations))
    throw new ConfigError(
      `The database schema ${schema} was created by a development version of Platen, which has no upgrade. Delete the data directory (PLATEN_DATA_DIR), or drop and create the database, and start again.`,
    )
  const next = migrations.find(({ name }) => !done.includes(name))
  try {
    if (next) {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
      for (const statement of next.statements) await client.query(statement)
      await client.query(`INSERT INTO ${escapeIdentifier(schema)}.migration (name) VALUES ($1)`, [next.name])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
  return next?.name
}

/** Later releases add migrations after the known ones, and development versions have others before the last one. */
function isOfDevelopment(done: string[], migrations: Migration[]): boolean {
  const names = migrations.map(({ name }) => name)
  const last = names.at(-1) ?? ''
  return done.some((name) => !names.includes(name) && name < last)
}

/** Changes nothing. @returns the names of the migrations that the schema needs. */
export async function findPending(
  log: Logger,
  server: ClientConfig,
  schema: string,
  migrations: Migration[],
): Promise<string[]> {
  const client = await connect(log, server, schema)
  try {
    const table = `${escapeIdentifier(schema)}.migration`
    const found = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [table])
    const done = found.rows[0]?.exists ? await client.query<{ name: string }>(`SELECT name FROM ${table}`) : undefined
    const names = done?.rows.map(({ name }) => name) ?? []
    return migrations.map(({ name }) => name).filter((name) => !names.includes(name))
  } finally {
    await client.end()
  }
}

/**
 * Returns when another process (`platen-server migrate`) has migrated the schema.
 *
 * @throws AbortError if the process stops before.
 */
export async function waitForMigrations(
  { log, stopping }: Pick<ServiceProcess, 'log' | 'stopping'>,
  server: ClientConfig,
  schema: string,
  migrations: Migration[],
): Promise<void> {
  for (;;) {
    const pending = await findPending(log, server, schema, migrations)
    if (pending.length === 0) return
    log.info({ schema, pending }, 'waiting for platen-server migrate')
    await sleep(WAIT_FOR_MIGRATIONS_MS, undefined, { signal: stopping })
  }
}

/** @returns the names of the applied migrations in their order. */
async function openSchema(client: Client, schema: string): Promise<string[]> {
  const table = `${escapeIdentifier(schema)}.migration`
  // `IF NOT EXISTS` would require the right to create schemas, which the owner of an existing schema does not need.
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`)
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${table} (name text PRIMARY KEY, executed_at timestamptz NOT NULL DEFAULT now())`,
  )
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`)
  return rows.map(({ name }) => name)
}

async function connect(log: Logger, server: ClientConfig, schema: string): Promise<Client> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    const client = new Client({ ...server, ...untimedConnection(`platen-${schema}-migration`) })
    client.on('error', (error) => log.warn({ err: error }, 'migration lost its connection'))
    try {
      await client.connect()
      await prepareConnection(client, schema)
      return client
    } catch (error) {
      await client.end()
      if (performance.now() > deadline) throw error
      await sleep(RETRY_MS)
    }
  }
}
