import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateUsage } from './0001-usage.ts'
import { CreateLogCursor } from './0050-log-cursor.ts'

/** In the order in which they are run. */
export const MIGRATIONS: MigrationList = [
  { name: '0001-usage', class: CreateUsage },
  { name: '0050-log-cursor', class: CreateLogCursor },
]
