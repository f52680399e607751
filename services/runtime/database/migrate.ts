/**
 * Brings a service's schema up to date. Replicas that start together wait for each other at an advisory lock, so each migration
 * runs once. A database that is not there yet (it starts together with us) is waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { Client } from 'pg'
import { ConfigError } from '../config.ts'
import type { Logger } from '../log.ts'
import { continuePlaces } from './commit-order.ts'
import { connectionSettings, patientConnection } from './connection-settings.ts'

export type MigrationList = {
  name: string
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration
}[]

/** In each schema: what has been run there. */
const TABLE = 'migration'

const WAIT_FOR_DATABASE_MS = 30_000
const TRY_AGAIN_MS = 200

export async function migrate(log: Logger, url: string, schema: string, migrations: MigrationList): Promise<void> {
  const lock = await connect(log, url, schema)
  try {
    await takeLock(lock, schema)
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${lock.escapeIdentifier(schema)}`)
    if (!(await isUpToDate(lock, schema, migrations))) await migrateUp(log, url, schema, migrations)
    await continuePlaces(url, schema)
  } finally {
    await lock.end()
  }
}

/** Nearly every start finds it so, and is over sooner without the migrator. */
async function isUpToDate(client: Client, schema: string, migrations: MigrationList): Promise<boolean> {
  const table = `${client.escapeIdentifier(schema)}.${TABLE}`
  const { rows: tables } = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [
    table,
  ])
  if (!tables[0]?.known) return false
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`)
  const done = rows.map(({ name }) => name)
  if (done.length > 0 && done[0] !== migrations[0]?.name)
    throw new ConfigError(
      `The database schema ${schema} was created by a development version of Platen, which has no upgrade. Delete the data directory (PLATEN_DATA_DIR), or drop and create the database, and start again.`,
    )
  return migrations.every(({ name }) => done.includes(name))
}

async function migrateUp(log: Logger, url: string, schema: string, migrations: MigrationList): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: patientConnection(`platen-${schema}-migration`),
    schema,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    logger: (message) => log.debug(message),
    colors: false,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, tableName: TABLE, snapshot: false, allOrNothing: true },
  })
  try {
    const done = await orm.migrator.up()
    if (done.length > 0) log.info({ schema, migrations: done.map(({ name }) => name) }, 'migrated')
  } finally {
    await orm.close()
  }
}

/** Asks again and again rather than wait in one statement: a migration may take longer than a connection may be silent. */
async function takeLock(lock: Client, schema: string): Promise<void> {
  for (;;) {
    const { rows } = await lock.query<{ taken: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS taken', [
      `platen migrate ${schema}`,
    ])
    if (rows[0]?.taken) return
    await sleep(TRY_AGAIN_MS)
  }
}

async function connect(log: Logger, url: string, schema: string): Promise<Client> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    const client = new Client({ connectionString: url, ...connectionSettings(`platen-${schema}-migration`) })
    client.on('error', (error) => log.warn({ err: error }, 'the migration lost its connection'))
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end()
      if (performance.now() > deadline) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}
