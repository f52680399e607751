import type { DeleteOrganizationRequest } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { NIL } from 'uuid'
import { addRecentCounts } from '../timers/add-recent-counts.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

const BATCH = 20_000

/** Walks the primary key of the ledger, because no index of it has the organization. */
const REMOVE = `
WITH batch AS MATERIALIZED (
  SELECT event_id, organization_id FROM usage.ledger WHERE event_id > $2 ORDER BY event_id LIMIT ${BATCH}
),
ledger AS (
  DELETE FROM usage.ledger USING batch WHERE ledger.event_id = batch.event_id AND batch.organization_id = $1 RETURNING 1
),
period_count AS (DELETE FROM usage.period_count WHERE organization_id = $1 RETURNING 1),
plan AS (DELETE FROM usage.plan WHERE organization_id = $1 RETURNING 1),
job_count AS (
  DELETE FROM usage.job_count
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage.job_count WHERE organization_id = $1 LIMIT ${BATCH})) RETURNING 1
)
SELECT (SELECT event_id FROM batch OFFSET ${BATCH - 1}) AS cursor, (SELECT count(*)::int FROM ledger) AS ledger,
  (SELECT count(*)::int FROM period_count) AS period_count, (SELECT count(*)::int FROM plan) AS plan,
  (SELECT count(*)::int FROM job_count) AS job_count`

interface Removed {
  cursor: string | null
  ledger: number
  period_count: number
  plan: number
  job_count: number
}

/** @throws ApiError `invalid_request` if `organization_id` is not a UUID. */
export async function deleteOrganization({ pool }: Usage, request: DeleteOrganizationRequest) {
  const values = [parseOrganizationId(request), request.cursor || NIL]
  // Afterwards the counts of the organization are in its own rows.
  await addRecentCounts(pool, { isComplete: true })
  const { rows } = await pool.query<Removed>(REMOVE, values)
  const { cursor = null, ...removed } = rows[0] ?? {}
  return { removed, cursor: cursor ?? '' }
}
