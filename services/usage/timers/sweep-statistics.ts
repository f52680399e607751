/** Deletes the statistics of intervals after their retention. Reference: docs/reference/statistics.md#retention. */

import { STATISTICS_DAYS } from '@platen/resources/limits.ts'
import { addDays } from '@platen/runtime/database/partitions.ts'
import { getStart, INTERVALS, type Interval } from '../intervals.ts'
import type { Usage } from '../usage.ts'

const BATCH = 5_000

const EXPIRE = `
DELETE FROM usage.job_count WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM usage.job_count WHERE interval = $1 AND start < $2 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`

const KEPT_DAYS: Record<Interval, number> = {
  hour: STATISTICS_DAYS.hours,
  day: STATISTICS_DAYS.days,
  month: STATISTICS_DAYS.days,
}

/** @param stopping ends the sweep after a batch. */
export async function sweepStatistics({ pool, clock }: Usage, stopping: AbortSignal): Promise<void> {
  for (const interval of INTERVALS) {
    const expiredUntil = getStart(interval, addDays(getStart('day', clock.now()), -KEPT_DAYS[interval]))
    for (let count = BATCH; count === BATCH && !stopping.aborted; )
      count = (await pool.query(EXPIRE, [interval, expiredUntil])).rowCount ?? 0
  }
}
