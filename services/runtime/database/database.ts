/**
 * A service's schema in PostgreSQL: MikroORM for rare statements, and a `pg` pool for hot statements, which are 4 to 5 times as fast with
 * one round trip each and a prepared plan.
 */
import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { Pool } from 'pg'
import type { ServiceProcess } from '../process.ts'
import { connectionSettings, hotConnectionSettings } from './connection-settings.ts'
import { EntityClient, EntityDriver } from './entity-driver.ts'
import { type Migration, migrate } from './migrate.ts'
import { orUnavailable } from './unavailable.ts'

/** More connections only raise the 99th percentile of latencies. */
const HOT_CONNECTIONS = 8
const ORM_CONNECTIONS = 4

export interface Database {
  orm: MikroORM
  pool: Pool
}

export interface DatabaseOptions {
  url: string
  /** Name of the service. Statements access only this schema. */
  schema: string
  entities: EntitySchema[]
  migrations: Migration[]
  /** Default: 8. */
  hotConnections?: number
  /** Default: 10 s. */
  statementTimeoutMs?: number
}

/**
 * Migrates the schema and opens the connections, which are closed when the process stops. While the database is unreachable, statements of
 * both fail with `service_unavailable`.
 */
export async function openDatabase(service: ServiceProcess, options: DatabaseOptions): Promise<Database> {
  const { url, schema, entities, migrations, hotConnections = HOT_CONNECTIONS, statementTimeoutMs } = options
  await migrate(service.log, url, schema, migrations)
  const orm = await MikroORM.init({
    clientUrl: url,
    schema,
    entities,
    pool: { min: 0, max: ORM_CONNECTIONS },
    forceUtcTimezone: true,
    driver: EntityDriver,
    driverOptions: { ...connectionSettings(`platen-${schema}-entities`, { statementTimeoutMs }), Client: EntityClient },
  })
  service.onStop('entity connections', () => orm.close())
  const pool = new Pool({
    connectionString: url,
    max: hotConnections,
    // Keeps idle connections, because a new one takes about 20 ms, which would delay the first requests after an idle time.
    idleTimeoutMillis: 0,
    ...hotConnectionSettings(`platen-${schema}`, statementTimeoutMs),
  })
  pool.query = orUnavailable(pool.query.bind(pool)) as Pool['query']
  // An 'error' event without a listener would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => service.log.debug({ err: error }, 'database connection failed'))
  })
  pool.on('error', (error) => service.log.warn({ err: error }, 'idle database connection lost'))
  service.onStop('database pool', () => pool.end())
  service.readiness.require(() => pool.query('SELECT 1'))
  return { orm, pool }
}
