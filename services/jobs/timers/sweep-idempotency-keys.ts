import type { Jobs } from '../jobs.ts'

const BATCH = 1_000

const DELETE_OLD = `
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
    const { rowCount } = await pool.query(DELETE_OLD, [before])
    if ((rowCount ?? 0) < BATCH) return
  }
}
