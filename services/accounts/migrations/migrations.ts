import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateAccounts } from './0001-schema.ts'

/** In the order in which they are run. A released migration is never changed. */
export const MIGRATIONS: MigrationList = [{ name: '0001-schema', class: CreateAccounts }]
