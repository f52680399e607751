import { monthBegin } from '../creation-limit.ts'
import type { Jobs } from '../jobs.ts'

/** No clock of another replica is that far behind: what it counts in must not go. */
const CLOCKS_AGREE_WITHIN_MS = 24 * 60 * 60 * 1000

/** Removes the counts of periods that are over, of days and of months, when their month is. */
export async function sweepCreationCounts({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<void> {
  const before = monthBegin(new Date(clock.now().getTime() - CLOCKS_AGREE_WITHIN_MS))
  await pool.query('DELETE FROM jobs.creation_count WHERE period < $1', [before])
}
