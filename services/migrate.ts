import { ConfigError, readEnvironment } from '@platen/runtime/config.ts'
import { findPending, type Migration, migrate } from '@platen/runtime/database/migrate.ts'
import { databaseSettings, databaseVariables, selectDatabase } from '@platen/runtime/database/settings.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { openLogOutput } from '@platen/runtime/log-output.ts'
import { z } from 'zod'

const PENDING_EXIT_CODE = 3

const SCHEMAS: Record<string, () => Promise<{ MIGRATIONS: Migration[] }>> = {
  accounts: () => import('@platen/accounts/migrations/migrations.ts'),
  jobs: () => import('@platen/jobs/migrations/migrations.ts'),
  devices: () => import('@platen/devices/migrations/migrations.ts'),
  usage: () => import('@platen/usage/migrations/migrations.ts'),
  webhooks: () => import('@platen/webhooks/migrations/migrations.ts'),
}

/**
 * `platen-server migrate`: migrates the schemas of all services, and prints a line of JSON for each. May run several
 * times at once.
 *
 * @param options.onlyChecks changes nothing, and exits with 3 if a migration is pending.
 */
export async function migrateAll({ onlyChecks }: { onlyChecks: boolean }): Promise<void> {
  // Standard output has the results only.
  const log = createLogger('migrate', undefined, openLogOutput(2))
  try {
    for (const [schema, load] of Object.entries(SCHEMAS)) {
      const { server } = databaseSettings(readEnvironment(z.object(databaseVariables(schema)), selectDatabase(schema)))
      const { MIGRATIONS } = await load()
      if (onlyChecks) {
        const pending = await findPending(log, server, schema, MIGRATIONS)
        console.log(JSON.stringify({ schema, pending }))
        if (pending.length > 0) process.exitCode = PENDING_EXIT_CODE
      } else console.log(JSON.stringify({ schema, migrated: await migrate(log, server, schema, MIGRATIONS) }))
    }
  } catch (error) {
    log.fatal(error instanceof ConfigError ? error.message : { err: error }, 'migration failed')
    process.exitCode = error instanceof ConfigError ? 78 : 1
  }
}
