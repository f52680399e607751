import type { Jobs } from '../jobs.ts'

/**
 * How long a removal is repeated to a connected agent. Later it is sent once at each hello while the agent holds the job, which needs no
 * row.
 */
const RETENTION_MS = 24 * 60 * 60 * 1000

/** Deletes unconfirmed removals, mostly of agents that do not return. */
export async function sweepRemovals({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<void> {
  await pool.query('DELETE FROM jobs.removal WHERE created_at <= $1', [new Date(clock.now().getTime() - RETENTION_MS)])
}
