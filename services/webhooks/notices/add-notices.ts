/**
 * SQL that adds notices, in the transaction of what they are about. In a run of failures each stage is told once and none after a later
 * one, also when the clocks of two replicas differ.
 */

const STAGES = `ARRAY['1 hour', '1 day', '4 days', 'disabled']`

/** @param endpoints SQL that selects `endpoint_id`, `stage` and `failing_since`. @param now an SQL time. */
export const addNotices = (endpoints: string, now: string) => `
INSERT INTO webhooks.notice (endpoint_id, id, stage, failing_since, created_at, due_at)
SELECT endpoint_id, uuidv7(), stage, failing_since, ${now}, ${now} FROM (${endpoints}) AS found
ON CONFLICT (endpoint_id) DO UPDATE SET
  (id, stage, failing_since, created_at, due_at, tries, told) =
  (excluded.id, excluded.stage, excluded.failing_since, excluded.created_at, excluded.due_at, 0, '{}')
WHERE notice.failing_since <> excluded.failing_since
  OR array_position(${STAGES}, notice.stage) < array_position(${STAGES}, excluded.stage)`
