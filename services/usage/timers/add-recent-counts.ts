/**
 * Adds the counts of the last seconds to the rows that lists read. The row of a printer then changes once for its jobs of 10 s, and not with
 * each batch of events. Reference: docs/decisions/19-statistics.md.
 */
import type { Pool } from 'pg'
import { addCounts } from '../add-counts.ts'

/** With fewer events, which are those of a service with little to do, the counts are added at once. */
const FEW_EVENTS = 500
const DELAY = '10 s'
/** Of a statement. Batches of the event log have at most 500 events. */
const BATCHES = 40

/** Takes the oldest batches. A concurrent statement waits for the rows, and then finds them deleted. */
const ADD = `
WITH batch AS (
  DELETE FROM usage.recent_count WHERE id IN (SELECT id FROM usage.recent_count ORDER BY id LIMIT ${BATCHES}) AND ($1 OR EXISTS (
    SELECT FROM usage.recent_count HAVING sum(events) < ${FEW_EVENTS} OR min(created_at) < now() - interval '${DELAY}'
  ))
  RETURNING counts
),
added AS (${addCounts(`
    SELECT counted.* FROM batch CROSS JOIN LATERAL json_to_recordset(counts) AS counted (organization_id uuid, mode text, hour timestamptz,
      printer_id uuid, computer_id uuid, key_id uuid, source text, state text, reason text, accepted bigint, jobs bigint, printing numeric,
      done numeric)`)}
)
SELECT count(*)::int AS batches FROM batch`

/** @param options `isComplete` adds all counts, without the delay. */
export async function addRecentCounts(pool: Pool, { isComplete = false } = {}): Promise<void> {
  for (let batches = BATCHES; batches === BATCHES; ) {
    const { rows } = await pool.query<{ batches: number }>({ name: 'add counts', text: ADD, values: [isComplete] })
    batches = rows[0]?.batches ?? 0
  }
}
