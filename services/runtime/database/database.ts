/** A service's schema in PostgreSQL: one pool, for MikroORM and for SQL. See docs/decisions/05-hot-statements.md. */
import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import type { ServiceProcess } from '../process.ts'
import { hotConnectionSettings, listConnectionSettings } from './connection-settings.ts'
import { diagnoseDatabase } from './diagnose-database.ts'
import { EntityDriver, entityDialect } from './entity-driver.ts'
import { measureDatabase } from './measure-database.ts'
import { type Migration, migrate, waitForMigrations } from './migrate.ts'
import { prepareConnection } from './prepare-connection.ts'
import type { DatabaseSettings } from './settings.ts'
import { orUnavailable } from './unavailable.ts'

/** 10 are pooled. More than 8 hot statements at once only raise the 99th percentile of latencies. */
const CONNECTIONS = 11
/** For partitions. Migrations run before the pools connect. */
const UNPOOLED_CONNECTIONS = 1
/** Stay open, because a new connection takes about 20 ms, which would delay the first requests after an idle time. */
const IDLE_CONNECTIONS = { pool: 2, lists: 1 }
/** A connection holds about 3 MB of PostgreSQL. */
const IDLE_TIMEOUT_MS = 20_000
/** Few, so that lists leave the CPU of PostgreSQL to other statements. Lists read a bounded number of rows. */
const LIST_CONNECTIONS = 2
const LIST_TIMEOUT_MS = 1_000

export interface Database {
  /** For rare statements about one or few rows. Uses connections of `pool`. */
  orm: MikroORM
  /** For hot statements and those about many rows. */
  pool: Pool
}

export interface DatabaseWithLists extends Database {
  /** For pages of lists, whose statements are planned for each call. */
  lists: Pool
}

export interface DatabaseOptions {
  settings: DatabaseSettings
  /** Name of the service. Statements access only this schema. */
  schema: string
  entities: EntitySchema[]
  migrations: Migration[]
  /** Total without those for lists, if the settings do not limit it. Default: 11. */
  connections?: number
  /** Default: 10 s. */
  statementTimeoutMs?: number
}

/**
 * Migrates the schema and opens the connections, which are closed when the process stops. While the database is
 * unreachable, statements of both fail with `service_unavailable`.
 */
export const openDatabase = (service: ServiceProcess, options: DatabaseOptions): Promise<Database> =>
  open(service, options, 0)

/**
 * With connections for lists of jobs, printers or deliveries, so that lists wait for each other and not other
 * statements for lists.
 */
export async function openDatabaseWithLists(
  service: ServiceProcess,
  options: DatabaseOptions,
): Promise<DatabaseWithLists> {
  const database = await open(service, options, LIST_CONNECTIONS)
  const lists = openPool(service, options.schema, {
    ...options.settings.server,
    max: LIST_CONNECTIONS,
    min: IDLE_CONNECTIONS.lists,
    ...listConnectionSettings(`platen-${options.schema}-lists`, LIST_TIMEOUT_MS),
  })
  return { ...database, lists }
}

/** @param forLists how many connections are left to lists. */
async function open(service: ServiceProcess, options: DatabaseOptions, forLists: number): Promise<Database> {
  const { settings, schema, entities, migrations, statementTimeoutMs } = options
  const { server, connections = (options.connections ?? CONNECTIONS) + forLists } = settings
  const pooled = connections - UNPOOLED_CONNECTIONS - forLists
  if (settings.migrations === 'wait') await waitForMigrations(service, server, schema, migrations)
  else await migrate(service.log, server, schema, migrations)
  const pool = openPool(service, schema, {
    ...server,
    max: pooled,
    min: IDLE_CONNECTIONS.pool,
    ...hotConnectionSettings(`platen-${schema}`, statementTimeoutMs),
  })
  const orm = await MikroORM.init({
    dbName: server.database,
    schema,
    entities,
    forceUtcTimezone: true,
    driver: EntityDriver,
    driverOptions: entityDialect(pool),
  })
  service.readiness.require(() => pool.query('SELECT 1'))
  measureDatabase(schema, pool, migrations)
  const known = migrations.at(-1)?.name ?? ''
  service.diagnostics.add('database', async () => ({
    database: { ...(await diagnoseDatabase(pool, schema)), connections, knownMigration: known },
  }))
  return { orm, pool }
}

function openPool(service: ServiceProcess, schema: string, settings: PoolConfig): Pool {
  const onConnect = (client: ClientBase) => prepareConnection(client, schema)
  const pool = new Pool({ ...settings, idleTimeoutMillis: IDLE_TIMEOUT_MS, onConnect })
  pool.query = orUnavailable(schema, pool.query.bind(pool)) as Pool['query']
  // An 'error' event without a listener would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => service.log.debug({ err: error }, 'database connection failed'))
  })
  pool.on('error', (error) => service.log.warn({ err: error }, 'idle database connection lost'))
  service.onStop('database pool', () => pool.end())
  return pool
}
