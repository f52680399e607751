/**
 * Brings a service's schema up to date. Replicas that start together wait for each other at an advisory lock, so each migration
 * runs once. A database that is not there yet (it starts together with us) is waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { Client } from 'pg'
import type { Logger } from '../log.ts'

export type MigrationList = {
  name: string
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration
}[]

const WAIT_FOR_DATABASE_MS = 30_000

export async function migrate(log: Logger, url: string, schema: string, migrations: MigrationList): Promise<void> {
  const lock = await connect(log, url)
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [`platen migrate ${schema}`])
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${lock.escapeIdentifier(schema)}`)
    const orm = await MikroORM.init({
      clientUrl: url,
      schema,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      logger: (message) => log.debug(message),
      colors: false,
      extensions: [Migrator],
      migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, allOrNothing: true },
    })
    try {
      const done = await orm.migrator.up()
      if (done.length > 0) log.info({ schema, migrations: done.map(({ name }) => name) }, 'migrated')
    } finally {
      await orm.close()
    }
  } finally {
    await lock.end()
  }
}

async function connect(log: Logger, url: string): Promise<Client> {
  const deadline = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    const client = new Client({ connectionString: url })
    client.on('error', (error) => log.warn({ err: error }, 'the migration lost its connection'))
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end()
      if (performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}
