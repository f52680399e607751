import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateJobs } from './0001-jobs.ts'
import { DropEventForeignKey } from './0002-events-without-foreign-key.ts'
import { AddDeletedComputers } from './0006-deleted-computers.ts'

/** In the order in which they are run, by the service and by its tests. */
export const MIGRATIONS: MigrationList = [
  { name: '0001-jobs', class: CreateJobs },
  { name: '0002-events-without-foreign-key', class: DropEventForeignKey },
  { name: '0006-deleted-computers', class: AddDeletedComputers },
]
