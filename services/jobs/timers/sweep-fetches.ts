import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { type Attempt, failOldFetches, storageKeyOf } from '../fetches/end-fetch.ts'
import { HELD_TOO_LONG } from '../fetches/failures.ts'
import type { Jobs } from '../jobs.ts'

/** For this timer and its statements. */
const TO_TAKE_AWAY_MS = 5 * 60_000

/**
 * Longest time from the creation of a job to the beginning of its fetch, because URL and credentials must be deleted within one hour
 * (docs/reference/fetches.md#fetch.credentials.1h).
 */
export const beginsWithinMs = ({ fetchHeldMs }: Pick<Jobs, 'fetchHeldMs'>): number => fetchHeldMs - TO_TAKE_AWAY_MS

const OVER = `
DELETE FROM jobs.document_fetch
WHERE NOT EXISTS (SELECT FROM jobs.job WHERE job.id = document_fetch.job_id AND job.fetching)
RETURNING job_id AS "jobId", document_fetch.attempt`

/** Takes away what is held for fetches of jobs that are over (cancelled, expired), and ends the jobs of fetches that never came about. */
export async function sweepFetches(jobs: Jobs, files: FileStore): Promise<void> {
  const heldSince = new Date(jobs.clock.now().getTime() - beginsWithinMs(jobs))
  await failOldFetches(jobs, heldSince, HELD_TOO_LONG)
  const { rows } = await jobs.pool.query<Attempt>({ name: 'fetches over', text: OVER })
  for (const attempt of rows) if (attempt.attempt > 0) await files.delete(storageKeyOf(attempt))
}
