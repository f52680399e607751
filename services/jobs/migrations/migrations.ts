import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateJobs } from './0001-jobs.ts'
import { DropEventForeignKey } from './0002-events-without-foreign-key.ts'
import { CreateCreationCounts } from './0003-creation-counts.ts'
import { CreateIdempotencyKeys } from './0004-idempotency-keys.ts'
import { AddLists } from './0005-lists.ts'
import { AddDeletedComputers } from './0006-deleted-computers.ts'
import { CreateFetches } from './0007-fetches.ts'
import { PutModeInSubjects } from './0009-mode-in-subjects.ts'
import { AddDocumentSweep } from './0020-document-sweep.ts'
import { CreateRemovals } from './0030-removals.ts'
import { CreateEventLog } from './0050-event-log.ts'
import { MakeJobsHot } from './0060-hot-jobs.ts'

/** In the order in which they are run, by the service and by its tests. */
export const MIGRATIONS: MigrationList = [
  { name: '0001-jobs', class: CreateJobs },
  { name: '0002-events-without-foreign-key', class: DropEventForeignKey },
  { name: '0003-creation-counts', class: CreateCreationCounts },
  { name: '0004-idempotency-keys', class: CreateIdempotencyKeys },
  { name: '0005-lists', class: AddLists },
  { name: '0006-deleted-computers', class: AddDeletedComputers },
  { name: '0007-fetches', class: CreateFetches },
  { name: '0009-mode-in-subjects', class: PutModeInSubjects },
  { name: '0020-document-sweep', class: AddDocumentSweep },
  { name: '0030-removals', class: CreateRemovals },
  { name: '0050-event-log', class: CreateEventLog },
  { name: '0060-hot-jobs', class: MakeJobsHot },
]
