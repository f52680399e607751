import { monthStart } from '../creation-limit.ts'
import type { Jobs } from '../jobs.ts'

/** Between replicas. A replica must not lose the count that it still uses. */
const CLOCK_DIFFERENCE_MAX_MS = 24 * 60 * 60 * 1000

/** Deletes the counts of days and months after the end of their month. */
export async function sweepCreationCounts({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<void> {
  const before = monthStart(new Date(clock.now().getTime() - CLOCK_DIFFERENCE_MAX_MS))
  await pool.query('DELETE FROM jobs.creation_count WHERE period < $1', [before])
}
