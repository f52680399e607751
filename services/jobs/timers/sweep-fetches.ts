import { failOldFetches } from '../fetches/end-fetch.ts'
import { STARTED_TOO_LATE } from '../fetches/failures.ts'
import type { Jobs } from '../jobs.ts'

/** Reserved for this timer and its statements. */
const DELETION_MS = 5 * 60_000

/**
 * Longest time from the creation of a job to the beginning of its fetch, because URL and credentials must be deleted
 * within one hour (docs/reference/fetches.md#fetch.credentials.1h).
 */
export const getStartTimeoutMs = ({ fetchHeldMs }: Pick<Jobs, 'fetchHeldMs'>): number => fetchHeldMs - DELETION_MS

/** Ends jobs whose fetch has not started in time, and so deletes the sources of their fetches. */
export async function sweepFetches(jobs: Jobs): Promise<void> {
  const createdUntil = new Date(jobs.clock.now().getTime() - getStartTimeoutMs(jobs))
  await failOldFetches(jobs, createdUntil, STARTED_TOO_LATE)
}
