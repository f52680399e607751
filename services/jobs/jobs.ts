/** Context of every RPC and timer of the service. */
import type { WaitingJobs } from '@platen/proto/subjects.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { Pool } from 'pg'
import type { RecentDocuments } from './documents/recent-documents.ts'
import type { SourceBox } from './fetches/source-box.ts'
import type { DatabaseLimit } from './limits/database-limit.ts'
import type { Quota, SummedQuota } from './limits/quotas.ts'

export interface Jobs {
  pool: Pool
  lists: Pool
  orm: Database['orm']
  clock: Clock
  /** The limit of one organization. */
  testJobsPerDay: number
  /** The quota by `organizationId mode`. */
  unfinishedJobs: Quota
  /** The quota by `organizationId`. */
  storedBytes: SummedQuota
  /** The quota by `organizationId`. */
  jobsPerDay: SummedQuota
  databaseLimit: DatabaseLimit
  /** Lifetime of an `Idempotency-Key`. */
  idempotencyKeyMs: number
  sourceBox: SourceBox
  recentDocuments: RecentDocuments
  /** Longest storage of URLs and credentials of fetches. */
  fetchHeldMs: number
  /** From the creation of the newest job that refers to the document. */
  fileRetentionMs: number
  /** The time limit of a job in `printing`. */
  printingTimeoutMs: number
  /** Call after the creation of a job with a fetch. */
  fetchesAdded(): void
  /** Call after the commit of a statement that changed jobs. */
  eventsAdded(): void
  /** Call after the commit. Best effort, because the timer `announce waiting` repeats it. */
  announceWaiting(waiting: WaitingJobs): void
}
