import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { type Attempt, failOldFetches, getStorageKey } from '../fetches/end-fetch.ts'
import { STARTED_TOO_LATE } from '../fetches/failures.ts'
import type { Jobs } from '../jobs.ts'

/** Reserved for this timer and its statements. */
const DELETION_MS = 5 * 60_000

/**
 * Longest time from the creation of a job to the beginning of its fetch, because URL and credentials must be deleted within one hour
 * (docs/reference/fetches.md#fetch.credentials.1h).
 */
export const getStartTimeoutMs = ({ fetchHeldMs }: Pick<Jobs, 'fetchHeldMs'>): number => fetchHeldMs - DELETION_MS

const DELETE_ENDED = `
DELETE FROM jobs.document_fetch
WHERE NOT EXISTS (SELECT FROM jobs.job WHERE job.id = document_fetch.job_id AND job.fetching)
RETURNING job_id AS "jobId", document_fetch.attempt`

/** Ends jobs whose fetch has not started in time. Deletes the sources and files of fetches whose job has ended (cancelled, expired). */
export async function sweepFetches(jobs: Jobs, files: FileStore): Promise<void> {
  const createdUntil = new Date(jobs.clock.now().getTime() - getStartTimeoutMs(jobs))
  await failOldFetches(jobs, createdUntil, STARTED_TOO_LATE)
  const { rows } = await jobs.pool.query<Attempt>({ name: 'delete ended fetches', text: DELETE_ENDED })
  for (const attempt of rows) if (attempt.attempt > 0) await files.delete(getStorageKey(attempt))
}
