/**
 * A service's own schema in PostgreSQL: entities by MikroORM for everything rare, and beside it a `pg` pool for the few hot
 * statements, which one round trip each and a prepared plan make 4 to 5 times as fast (DESIGN, "Speed").
 */
import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { Pool } from 'pg'
import type { ServiceProcess } from '../process.ts'
import { connectionSettings, hotConnectionSettings } from './connection-settings.ts'
import { EntityClient, EntityDriver } from './entity-driver.ts'
import { type Migration, migrate } from './migrate.ts'
import { orUnavailable } from './unavailable.ts'

/** More only raise the 99th percentile (DESIGN, "Speed"). */
const HOT_CONNECTIONS = 8
const ORM_CONNECTIONS = 4

export interface Database {
  orm: MikroORM
  pool: Pool
}

export interface DatabaseOptions {
  url: string
  /** Named as the service. Nothing outside of it is read or written. */
  schema: string
  entities: EntitySchema[]
  migrations: Migration[]
  /** For a service that has little to do. */
  hotConnections?: number
  /** Default: 10 s. */
  statementTimeoutMs?: number
}

/**
 * Connects, brings the schema up to date, and closes with the process. From then on statements of both fail with `service_unavailable`
 * while there is no way to the database.
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
    // A new connection costs some 20 ms of both ends, which the first requests after a quiet time would wait for.
    idleTimeoutMillis: 0,
    ...hotConnectionSettings(`platen-${schema}`, statementTimeoutMs),
  })
  pool.query = orUnavailable(pool.query.bind(pool)) as Pool['query']
  // Between the pool and the one who awaits a new connection nobody else listens, and an error that nobody hears ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => service.log.debug({ err: error }, 'a database connection failed'))
  })
  pool.on('error', (error) => service.log.warn({ err: error }, 'an idle database connection was lost'))
  service.onStop('database pool', () => pool.end())
  return { orm, pool }
}
