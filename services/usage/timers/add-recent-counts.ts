/**
 * Adds the counts of the last seconds to the rows that lists read. The row of a printer then changes once for its jobs
 * of 10 s, and not with each batch of events. Reference: docs/decisions/19-statistics.md.
 */
import { BUDGETS } from '@platen/resources/budgets.ts'
import type { Pool } from 'pg'
import { addCounts, COUNT_COLUMNS, COUNTS } from '../add-counts.ts'

/** With fewer events, which are those of a service with little to do, the counts are added at once. */
const FEW_EVENTS = 500
const DELAY = '10 s'
/** Batches of a statement. Batches of the event log have at most 500 events. */
const BATCHES = 40

/** The source that stands for those beyond the budget of a month. */
const OTHER_SOURCE = 'other'

const IN_MONTH = `counted.organization_id = named.organization_id AND counted.mode = named.mode
    AND counted.interval = 'month'
    AND counted.dimension = 'source' AND counted.start = named.month`

/** Takes the oldest batches. A concurrent statement waits for the rows, and then finds them deleted. */
const ADD = `
WITH batch AS (
  DELETE FROM usage.recent_count
  WHERE id IN (SELECT id FROM usage.recent_count ORDER BY id LIMIT ${BATCHES}) AND ($1 OR EXISTS (
    SELECT FROM usage.recent_count HAVING sum(events) < ${FEW_EVENTS} OR min(created_at) < now() - interval '${DELAY}'
  ))
  RETURNING counts
),
recent AS (
  SELECT counted.* FROM batch
  CROSS JOIN LATERAL json_to_recordset(counts) AS counted (organization_id uuid, mode text, hour timestamptz,
    printer_id uuid, computer_id uuid, key_id uuid, source text, state text, reason text, ${COUNT_COLUMNS})
),
named AS (
  SELECT DISTINCT organization_id, mode, date_trunc('month', hour, 'UTC') AS month, source COLLATE "C" AS source
  FROM recent
),
new_source AS (
  SELECT *, row_number() OVER (PARTITION BY organization_id, mode, month ORDER BY source) AS position
  FROM named
  WHERE NOT EXISTS (SELECT FROM usage.job_count AS counted WHERE ${IN_MONTH} AND counted.value = named.source)
),
month AS (
  SELECT *, (SELECT count(DISTINCT value) FROM usage.job_count AS counted WHERE ${IN_MONTH}) AS sources
  FROM (SELECT DISTINCT organization_id, mode, month FROM new_source) AS named
),
excess AS (
  SELECT organization_id, mode, month, source FROM new_source JOIN month USING (organization_id, mode, month)
  WHERE position + sources > ${BUDGETS.sources.max}
),
added AS (${addCounts(`
    SELECT organization_id, mode, hour, printer_id, computer_id, key_id, state, reason, ${COUNTS.join(', ')},
      CASE WHEN (organization_id, mode, date_trunc('month', hour, 'UTC'), source COLLATE "C") IN (SELECT * FROM excess)
        THEN '${OTHER_SOURCE}' ELSE source END AS source
    FROM recent`)}
)
SELECT count(*)::int AS batches FROM batch`

/** @param options `isComplete` adds all counts, without the delay. */
export async function addRecentCounts(pool: Pool, { isComplete = false } = {}): Promise<void> {
  for (let batches = BATCHES; batches === BATCHES; ) {
    const { rows } = await pool.query<{ batches: number }>({ name: 'add counts', text: ADD, values: [isComplete] })
    batches = rows[0]?.batches ?? 0
  }
}
