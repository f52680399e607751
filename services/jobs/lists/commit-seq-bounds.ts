/**
 * Bounds of `commit_seq` (the commit sequence of a job) for a time. The id of a job is a UUIDv7 that begins with the
 * time at which the gateway created it, so the primary key is also an index of times. An index of `created_at` would
 * have to be written at every state change.
 */
import { lowestId } from '@platen/runtime/database/partitions.ts'

/**
 * Jobs whose ids were created further apart than this are listed in the order of their times. An id is created when the
 * body of its request begins to arrive. The body may take 120 s, and the rest up to the end of the transaction about 15
 * s (`connection-settings.ts`). The remainder covers clock differences between replicas.
 */
const OUT_OF_ORDER_MAX_MS = 7 * 60_000

/**
 * SQL: no job that was created at `time` or later has a lower commit sequence.
 *
 * @param bind adds a value and returns its parameter.
 */
export function minCommitSeq(time: Date, bind: (value: unknown) => string): string {
  const id = bind(lowestId(new Date(Math.max(0, time.getTime() - OUT_OF_ORDER_MAX_MS))))
  return `(SELECT commit_seq FROM jobs.job AS earlier WHERE earlier.id < ${id}::uuid ORDER BY earlier.id DESC LIMIT 1)`
}

/** SQL: no job that was created before `time` has a higher commit sequence. */
export function maxCommitSeq(time: Date, bind: (value: unknown) => string): string {
  const id = bind(lowestId(new Date(Math.max(0, time.getTime() + OUT_OF_ORDER_MAX_MS))))
  return `(SELECT commit_seq FROM jobs.job AS later WHERE later.id >= ${id}::uuid ORDER BY later.id LIMIT 1)`
}
