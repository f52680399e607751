import { DELETE_ENDED_BATCHES } from '../claims/begun-batches.ts'
import { CreationCountEntity, RemovalEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { monthStart } from '../limits/creation-limit.ts'

const BATCH = 1_000

const DELETE_OLD_KEYS = `
DELETE FROM jobs.idempotency_key WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM jobs.idempotency_key WHERE created_at <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`

/** Deletes expired keys. A key is valid until its deletion. */
export async function sweepIdempotencyKeys({
  pool,
  clock,
  idempotencyKeyMs,
}: Pick<Jobs, 'pool' | 'clock' | 'idempotencyKeyMs'>): Promise<void> {
  const before = new Date(clock.now().getTime() - idempotencyKeyMs)
  for (;;) {
    const { rowCount } = await pool.query(DELETE_OLD_KEYS, [before])
    if ((rowCount ?? 0) < BATCH) return
  }
}

const DAY_MS = 24 * 60 * 60_000

/**
 * How long a removal is repeated to a connected agent. Later it is sent once at each hello while the agent holds the
 * job, which needs no row.
 */
const REMOVAL_KEPT_MS = DAY_MS

/** Between replicas. A replica must not lose the count that it still uses. */
const CLOCK_DIFFERENCE_MAX_MS = DAY_MS

/**
 * Deletes expired keys, unconfirmed removals, mostly of agents that do not return, batches that have ended, and the
 * counts of past days and months.
 */
export async function sweepOldRows(jobs: Pick<Jobs, 'orm' | 'pool' | 'clock' | 'idempotencyKeyMs'>): Promise<void> {
  const before = (ms: number) => new Date(jobs.clock.now().getTime() - ms)
  await sweepIdempotencyKeys(jobs)
  await jobs.pool.query(DELETE_ENDED_BATCHES)
  const em = jobs.orm.em.fork()
  await em.nativeDelete(RemovalEntity, { createdAt: { $lte: before(REMOVAL_KEPT_MS) } })
  const month = monthStart(before(CLOCK_DIFFERENCE_MAX_MS))
  await em.nativeDelete(CreationCountEntity, { period: { $lt: month } })
}
