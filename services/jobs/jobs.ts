/** What every RPC and timer of the service works with. */
import type { WaitingJobs } from '@platen/proto/subjects.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { Pool } from 'pg'
import type { Vault } from './fetches/vault.ts'
import type { RecentDocuments } from './recent-documents.ts'

export interface Jobs {
  pool: Pool
  orm: Database['orm']
  clock: Clock
  /** That an organization may create. */
  testJobsPerDay: number
  /** How long an `Idempotency-Key` counts. */
  idempotencyKeyMs: number
  vault: Vault
  recentDocuments: RecentDocuments
  /** How long URLs and credentials of fetches are held at most. */
  fetchHeldMs: number
  /** How long a document is kept, from the creation of its job on; a reprint's own time begins with the reprint. */
  fileRetentionMs: number
  /** A job was created whose document is to be fetched. */
  fetchesAdded(): void
  /** Call after the commit of a statement that changed jobs. */
  eventsAdded(): void
  /** Call after the commit. Best effort: the timer `waiting` repeats it. */
  announceWaiting(waiting: WaitingJobs): void
}
