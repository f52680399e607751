/**
 * Selects the next fetches and leases them to this replica. An expired lease belongs to a replica that has died, and
 * its fetch is repeated. Counts the leases of all replicas, so only one replica leases at a time.
 *
 * Fair: the first waiting fetch of each organization precedes the second one of any organization, also among fetches of
 * one host.
 *
 * Reads at most 8 waiting fetches of each organization, however many wait.
 */
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import type { Pool } from 'pg'

/** Concurrent fetches of all replicas, so that one organization or slow host does not block the others. */
export const FETCHES_OF_ORGANIZATION_MAX = 8
export const FETCHES_OF_HOST_MAX = 8
/** Added to the deadline of the fetch, for storing the result. */
export const LEASE_BEYOND_DEADLINE_MS = 15_000

export interface LeasedFetch {
  jobId: string
  organizationId: string
  /** Counts from 1. Fences the result of the lease. */
  attempt: number
  contentType: string
  encryptedSource: Buffer
  traceparent: string
}

export const LEASE = `
WITH RECURSIVE leased AS MATERIALIZED (
  SELECT organization_id, host_digest FROM jobs.document_fetch WHERE leased_until > $1
),
-- Steps from organization to organization in the index.
organization AS (
  (SELECT organization_id AS id FROM jobs.document_fetch ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT organization_id FROM jobs.document_fetch WHERE organization_id > organization.id ORDER BY 1 LIMIT 1)
  FROM organization WHERE organization.id IS NOT NULL
),
waiting AS (
  SELECT next.*,
    (SELECT count(*) FROM leased WHERE leased.organization_id = organization.id)
      + row_number() OVER (PARTITION BY organization.id ORDER BY created_at, job_id) AS nth_of_organization
  FROM organization CROSS JOIN LATERAL (
    SELECT job_id, host_digest, document_fetch.created_at
    FROM jobs.document_fetch JOIN jobs.job ON job.id = document_fetch.job_id AND job.state = 'queued'
    WHERE document_fetch.organization_id = organization.id AND (leased_until IS NULL OR leased_until <= $1)
      AND document_fetch.created_at > $3
    ORDER BY document_fetch.created_at, job_id LIMIT ${FETCHES_OF_ORGANIZATION_MAX}
  ) AS next
),
admitted AS (
  SELECT job_id, nth_of_organization, created_at,
    (SELECT count(*) FROM leased WHERE leased.host_digest = waiting.host_digest)
      + row_number() OVER (PARTITION BY host_digest ORDER BY nth_of_organization, created_at, job_id) AS nth_of_host
  FROM waiting WHERE nth_of_organization <= ${FETCHES_OF_ORGANIZATION_MAX}
),
chosen AS (
  SELECT job_id FROM admitted WHERE nth_of_host <= ${FETCHES_OF_HOST_MAX}
  ORDER BY nth_of_organization, created_at, job_id LIMIT $4
)
UPDATE jobs.document_fetch SET leased_until = $2, attempt = document_fetch.attempt + 1
FROM chosen JOIN jobs.job ON job.id = chosen.job_id
WHERE document_fetch.job_id = chosen.job_id
RETURNING document_fetch.job_id AS "jobId", document_fetch.organization_id AS "organizationId", document_fetch.attempt,
  job.content_type AS "contentType", document_fetch.encrypted_source AS "encryptedSource", job.traceparent`

/** @param deadlineMs of a fetch. @param createdAfter older fetches are not leased. */
export async function leaseFetches(
  pool: Pool,
  { now, createdAfter, limit, deadlineMs }: { now: Date; createdAfter: Date; limit: number; deadlineMs: number },
): Promise<LeasedFetch[]> {
  const until = new Date(now.getTime() + deadlineMs + LEASE_BEYOND_DEADLINE_MS)
  return await withAdvisoryLock(pool, 'platen jobs.document_fetch', async (client) => {
    const values = [now, until, createdAfter, limit]
    const { rows } = await client.query<LeasedFetch>({ name: 'lease fetches', text: LEASE, values })
    return rows
  })
}
