/**
 * Merges the hours of earlier days into days, and deletes days after the retention. A job is in `job_hour` or in `job_day`, so lists add both
 * and are exact at any time. Hours that are counted later, after a fault, are merged by a later sweep. Reference:
 * docs/reference/statistics.md#retention.
 */

import { STATISTICS_DAYS } from '@platen/resources/limits.ts'
import { addDays, startOfDay } from '@platen/runtime/database/partitions.ts'
import { VALUES } from '../list-statistics.ts'
import type { Usage } from '../usage.ts'

const BATCH = 5_000

/**
 * Rows of an organization are merged together, so that a day is written once or a few times. Skips rows that another replica is merging.
 * Locks days in the order of their key, so concurrent merges cannot deadlock.
 */
const MERGE = `
WITH batch AS MATERIALIZED (
  SELECT ctid FROM usage.job_hour WHERE hour < $1 ORDER BY organization_id, mode, hour LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
),
merged AS (DELETE FROM usage.job_hour AS hour USING batch WHERE hour.ctid = batch.ctid RETURNING hour.*),
added AS (
  INSERT INTO usage.job_day AS day (organization_id, mode, dimension, day, value, state, reason, jobs, printing, done)
  SELECT organization_id, mode, dimension, date_trunc('day', hour, 'UTC'), value, state, reason, sum(jobs), sum(printing), sum(done)
  FROM merged CROSS JOIN LATERAL (VALUES ${Object.entries(VALUES)
    .map(([dimension, value]) => `('${dimension}', (${value}) COLLATE "C")`)
    .join(', ')}) AS shown (dimension, value)
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (organization_id, mode, dimension, day, value, state, reason) DO UPDATE SET
    jobs = day.jobs + excluded.jobs, printing = day.printing + excluded.printing, done = day.done + excluded.done
)
SELECT count(*)::int AS count FROM batch`

const EXPIRE = `
DELETE FROM usage.job_day WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage.job_day WHERE day < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`

/** @param stopping ends the sweep after a batch. */
export async function sweepStatistics({ pool, clock }: Usage, stopping: AbortSignal): Promise<void> {
  const today = startOfDay(clock.now())
  const mergedUntil = addDays(today, -STATISTICS_DAYS.hours)
  for (let count = BATCH; count === BATCH && !stopping.aborted; ) {
    const { rows } = await pool.query<{ count: number }>(MERGE, [mergedUntil])
    count = rows[0]?.count ?? 0
  }
  const expiredUntil = addDays(today, -STATISTICS_DAYS.days)
  for (let count = BATCH; count === BATCH && !stopping.aborted; )
    count = (await pool.query(EXPIRE, [expiredUntil])).rowCount ?? 0
}
