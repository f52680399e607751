/** Reads the webhook endpoints that alerts are about. */
import { ENDPOINT_ALERT_KINDS } from '@platen/resources/alert-kinds.ts'
import type { Pool } from 'pg'
import type { Incident, Problem } from './incident.ts'

/** SQL: an endpoint whose deliveries fail, also if it was disabled because of that. By `endpoint_failing`. */
const HAS_PROBLEM = `failing_since IS NOT NULL AND (enabled OR disabled_reason = 'failures')`

/** SQL: an endpoint that a user has disabled needs no mail. */
const IS_WATCHED = `(enabled OR disabled_reason = 'failures')`

const ORGANIZATIONS = `SELECT DISTINCT organization_id AS id FROM webhooks.endpoint WHERE ${HAS_PROBLEM}`

export async function listFailingOrganizations(pool: Pool): Promise<string[]> {
  return (await pool.query<{ id: string }>(ORGANIZATIONS)).rows.map(({ id }) => id)
}

/**
 * Takes no locks. Replicas of 0.1 send mails of their own, which `failure_alert` records: a run of failures that they
 * have reported has no incident. Their unsent mails are replaced by those of incidents. A release after 0.2 drops the
 * table.
 */
const PROBLEMS = `
SELECT kind, endpoint.id AS "resourceId", endpoint.id AS "computerId", organization_id AS "organizationId", mode, url,
  CASE kind WHEN 'endpoint_failing' THEN failing_since ELSE disabled_at END AS since,
  concat_ws(' ', last_error, last_status_code) AS detail
FROM webhooks.endpoint
CROSS JOIN LATERAL (SELECT 'endpoint_failing' AS kind UNION ALL SELECT 'endpoint_disabled' WHERE NOT enabled) AS problem
WHERE organization_id = ANY($1::uuid[]) AND ${HAS_PROBLEM}
  AND (
    EXISTS (
      SELECT FROM webhooks.incident
      WHERE incident.organization_id = endpoint.organization_id AND incident.mode = endpoint.mode
        AND incident.kind = problem.kind AND resource_id = endpoint.id AND notified_at IS NOT NULL)
    OR NOT EXISTS (
      SELECT FROM webhooks.failure_alert AS sent
      WHERE sent.endpoint_id = endpoint.id AND sent.failing_since = endpoint.failing_since
        AND sent.due_at IS NULL AND (problem.kind = 'endpoint_failing' OR severity = 'disabled'))
  )
ORDER BY organization_id, endpoint.id, kind`

const MISSING = `
SELECT resource_id AS id FROM webhooks.incident
WHERE organization_id = ANY($1::uuid[]) AND kind = ANY($2::text[])
  AND NOT EXISTS (SELECT FROM webhooks.endpoint WHERE endpoint.id = resource_id AND ${IS_WATCHED})`

interface Row extends Pick<Incident, 'kind' | 'resourceId' | 'computerId' | 'organizationId' | 'mode' | 'since'> {
  url: string
  detail: string
}

/**
 * @returns the problems of endpoints, and the ids of endpoints with incidents that are deleted or that a user has
 *   disabled.
 */
export async function readEndpoints(
  pool: Pool,
  organizationIds: string[],
): Promise<{ problems: Problem[]; missingIds: string[] }> {
  const [problems, missing] = await Promise.all([
    pool.query<Row>(PROBLEMS, [organizationIds]),
    pool.query<{ id: string }>(MISSING, [organizationIds, ENDPOINT_ALERT_KINDS]),
  ])
  return {
    problems: problems.rows.map(({ url, detail, ...problem }) => ({
      ...problem,
      jobId: null,
      facts: { computer: '', printer: '', endpoint: new URL(url).host, detail, jobs: 0 },
    })),
    missingIds: missing.rows.map(({ id }) => id),
  }
}
