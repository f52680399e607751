import type { Jobs } from '../jobs.ts'

/**
 * How long an order to remove a job is repeated to an agent that is there. After that, and to one that comes back, it is said once at
 * each hello, for as long as the agent holds the job: that needs no row.
 */
const REPEATED_FOR_MS = 24 * 60 * 60 * 1000

/** Forgets orders that nobody confirms, most of them to agents that are gone. */
export async function sweepRemovals({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<void> {
  await pool.query('DELETE FROM jobs.removal WHERE created_at <= $1', [
    new Date(clock.now().getTime() - REPEATED_FOR_MS),
  ])
}
