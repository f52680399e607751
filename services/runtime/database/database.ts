/**
 * A service's schema in PostgreSQL: MikroORM for rare statements, and a `pg` pool for hot statements, which are 4 to 5 times as fast with
 * one round trip each and a prepared plan.
 */
import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import type { ServiceProcess } from '../process.ts'
import { connectionSettings, hotConnectionSettings, listConnectionSettings } from './connection-settings.ts'
import { diagnoseDatabase } from './diagnose-database.ts'
import { EntityClient, EntityDriver } from './entity-driver.ts'
import { measureDatabase } from './measure-database.ts'
import { type Migration, migrate, waitForMigrations } from './migrate.ts'
import { prepareConnection } from './prepare-connection.ts'
import type { DatabaseSettings } from './settings.ts'
import { orUnavailable } from './unavailable.ts'

/** Hot statements use 7 of them. More than 8 only raise the 99th percentile of latencies. */
const CONNECTIONS = 11
/** For partitions. Migrations run before the pools connect. */
const UNPOOLED_CONNECTIONS = 1
const ENTITIES_SHARE = 1 / 3
/** Stay open, because a new connection takes about 20 ms, which would delay the first requests after an idle time. */
const IDLE_CONNECTIONS = 2
const IDLE_TIMEOUT_MS = 60_000
/** Few, so that lists leave the CPU of PostgreSQL to other statements. Lists read a bounded number of rows. */
const LIST_CONNECTIONS = 2
const LIST_TIMEOUT_MS = 1_000

export interface Database {
  orm: MikroORM
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
 * Migrates the schema and opens the connections, which are closed when the process stops. While the database is unreachable, statements of
 * both fail with `service_unavailable`.
 */
export const openDatabase = (service: ServiceProcess, options: DatabaseOptions): Promise<Database> =>
  open(service, options, 0)

/** With connections for lists of jobs, printers or deliveries, so that lists wait for each other and not other statements for lists. */
export async function openDatabaseWithLists(
  service: ServiceProcess,
  options: DatabaseOptions,
): Promise<DatabaseWithLists> {
  const database = await open(service, options, LIST_CONNECTIONS)
  const lists = openPool(service, options.schema, {
    ...options.settings.server,
    max: LIST_CONNECTIONS,
    ...listConnectionSettings(`platen-${options.schema}-lists`, LIST_TIMEOUT_MS),
  })
  return { ...database, lists }
}

/** @param forLists how many connections are left to lists. */
async function open(service: ServiceProcess, options: DatabaseOptions, forLists: number): Promise<Database> {
  const { settings, schema, entities, migrations, statementTimeoutMs } = options
  const { server, connections = (options.connections ?? CONNECTIONS) + forLists } = settings
  const pooled = connections - UNPOOLED_CONNECTIONS - forLists
  const entityConnections = Math.floor(pooled * ENTITIES_SHARE)
  if (settings.migrations === 'wait') await waitForMigrations(service, server, schema, migrations)
  else await migrate(service.log, server, schema, migrations)
  const onConnect = (client: ClientBase) => prepareConnection(client, schema)
  const orm = await MikroORM.init({
    dbName: server.database,
    schema,
    entities,
    pool: { min: 0, max: entityConnections },
    forceUtcTimezone: true,
    driver: EntityDriver,
    driverOptions: {
      ...server,
      ...connectionSettings(`platen-${schema}-entities`, { statementTimeoutMs }),
      onConnect,
      Client: EntityClient,
    },
  })
  service.onStop('entity connections', () => orm.close())
  const pool = openPool(service, schema, {
    ...server,
    max: pooled - entityConnections,
    ...hotConnectionSettings(`platen-${schema}`, statementTimeoutMs),
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
  const pool = new Pool({ ...settings, min: IDLE_CONNECTIONS, idleTimeoutMillis: IDLE_TIMEOUT_MS, onConnect })
  pool.query = orUnavailable(schema, pool.query.bind(pool)) as Pool['query']
  // An 'error' event without a listener would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => service.log.debug({ err: error }, 'database connection failed'))
  })
  pool.on('error', (error) => service.log.warn({ err: error }, 'idle database connection lost'))
  service.onStop('database pool', () => pool.end())
  return pool
}
