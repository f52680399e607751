/** The template database of tests, because running all migrations for each test is slower than copying. */
import { MIGRATIONS as ACCOUNTS } from '@platen/accounts/migrations/migrations.ts'
import { MIGRATIONS as DEVICES } from '@platen/devices/migrations/migrations.ts'
import { MIGRATIONS as JOBS } from '@platen/jobs/migrations/migrations.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { MIGRATIONS as USAGE } from '@platen/usage/migrations/migrations.ts'
import { MIGRATIONS as WEBHOOKS } from '@platen/webhooks/migrations/migrations.ts'
import { Client } from 'pg'

const NAME = 'migrated'

const SCHEMAS = { accounts: ACCOUNTS, devices: DEVICES, jobs: JOBS, usage: USAGE, webhooks: WEBHOOKS }

/** Called once per server before the first test. @returns the name of the database. */
export async function createMigrated(postgresUrl: string): Promise<string> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${NAME}`).finally(() => client.end())
  const server = { ...parseDatabaseUrl(postgresUrl), database: NAME }
  const log = createLogger('test', 'warn')
  await Promise.all(Object.entries(SCHEMAS).map(([schema, migrations]) => migrate(log, server, schema, migrations)))
  return NAME
}
