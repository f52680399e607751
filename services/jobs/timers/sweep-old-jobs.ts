/**
 * Deletes ended jobs and their events at the end of the retention, counted from the creation of the job. Reference:
 * docs/reference/print-jobs.md#retention. The retention is at least that of documents and idempotency keys, so neither
 * refers to a deleted job. Removals stay until the agent has confirmed them. Events in the event log and prints in the
 * ledger of usage stay.
 */
import { lowestId } from '@platen/runtime/database/partitions.ts'
import { pause } from '@platen/runtime/retry.ts'
import { NIL } from 'uuid'
import type { Jobs } from '../jobs.ts'
import { sweepIdempotencyKeys } from './sweep-old-rows.ts'

/**
 * Jobs of one transaction, which takes about 4 ms. With 500 the 99th percentile of creations was three times as high.
 */
const BATCH = 200

/**
 * The pause after a batch as a multiple of its duration, so that 99 of 100 creations do not meet the sweep. Leaves
 * about 500 jobs per second.
 */
const PAUSE_FACTOR = 100

/**
 * Walks the primary key, which is ordered by time, because ids are UUIDv7. An id is created shortly before its job, so
 * the time of the creation is checked as well. Skips jobs that another replica is deleting, so it waits for no lock.
 */
const DELETE = `
WITH batch AS MATERIALIZED (SELECT id FROM jobs.job WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${BATCH}),
ended AS MATERIALIZED (
  SELECT job.id, organization_id, mode, metadata, commit_seq FROM batch JOIN jobs.job USING (id)
  WHERE final_state IS NOT NULL AND created_at <= $3 FOR UPDATE OF job SKIP LOCKED
),
deleted_event AS (DELETE FROM jobs.job_event USING ended WHERE job_event.job_id = ended.id),
deleted_metadata AS (
  DELETE FROM jobs.job_metadata AS pair USING ended
  CROSS JOIN LATERAL jsonb_each_text(ended.metadata) AS own (key, value)
  WHERE pair.organization_id = ended.organization_id AND pair.mode = ended.mode AND pair.value = own.value
    AND pair.key = own.key
    AND pair.commit_seq = ended.commit_seq AND pair.id = ended.id
),
deleted AS (DELETE FROM jobs.job USING ended WHERE job.id = ended.id)
SELECT id AS "lastId", (SELECT count(*) FROM batch)::int AS count FROM batch ORDER BY id DESC LIMIT 1`

/** @param stopping ends the sweep after a batch. */
export async function sweepOldJobs(jobs: Jobs, retentionMs: number, stopping: AbortSignal): Promise<void> {
  // A replay of an expired key that is not deleted yet would not find its job.
  await sweepIdempotencyKeys(jobs)
  const createdUntil = new Date(jobs.clock.now().getTime() - retentionMs)
  // Above the ids of the last millisecond.
  const beforeId = lowestId(new Date(createdUntil.getTime() + 1))
  let afterId: string | undefined = NIL
  while (afterId && !stopping.aborted) {
    const startedAt = performance.now()
    const { rows }: { rows: { lastId: string; count: number }[] } = await jobs.pool.query({
      name: 'delete old jobs',
      text: DELETE,
      values: [afterId, beforeId, createdUntil],
    })
    afterId = rows[0]?.count === BATCH ? rows[0].lastId : undefined
    if (!afterId) return
    await pause(PAUSE_FACTOR * (performance.now() - startedAt), stopping)
  }
}
