/**
 * Which fetches are begun next. A lease is a fetch that some replica has in hand; one that runs out was left by a replica that died, and
 * its fetch is done anew. Counts over all replicas, one of them at a time, which only those wait for who fetch.
 *
 * Fair: of the fetches that wait, the first of each organization comes before the second of any, also among those of one host.
 */
import { inTurns } from '@platen/runtime/database/in-turns.ts'
import type { Pool } from 'pg'

/** At a time, over all replicas: one organization, or one slow host, does not take all places. */
export const FETCHES_OF_ORGANIZATION_MAX = 8
export const FETCHES_OF_HOST_MAX = 8
/** How much longer than a fetch may take it is leased: for storing what it brought. */
export const LEASE_BEYOND_DEADLINE_MS = 15_000

export interface LeasedFetch {
  jobId: string
  organizationId: string
  /** Counts from 1. Fences what is done for this lease. */
  attempt: number
  contentType: string
  sealed: Buffer
  traceparent: string
}

const LEASE = `
WITH leased AS MATERIALIZED (SELECT organization_id, host_digest FROM jobs.document_fetch WHERE leased_until > $1),
waiting AS (
  SELECT job_id, host_digest, document_fetch.created_at,
    (SELECT count(*) FROM leased WHERE leased.organization_id = document_fetch.organization_id)
      + row_number() OVER (PARTITION BY document_fetch.organization_id ORDER BY document_fetch.created_at, job_id) AS nth_of_organization
  FROM jobs.document_fetch JOIN jobs.job ON job.id = document_fetch.job_id AND job.state = 'queued'
  WHERE (leased_until IS NULL OR leased_until <= $1) AND document_fetch.created_at > $3
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
RETURNING document_fetch.job_id AS "jobId", document_fetch.organization_id AS "organizationId", document_fetch.attempt, job.content_type AS "contentType",
  document_fetch.sealed_source AS sealed, job.traceparent`

/** @param deadlineMs of a fetch. @param createdAfter what is older is not fetched any more. */
export async function leaseFetches(
  pool: Pool,
  { now, createdAfter, limit, deadlineMs }: { now: Date; createdAfter: Date; limit: number; deadlineMs: number },
): Promise<LeasedFetch[]> {
  const until = new Date(now.getTime() + deadlineMs + LEASE_BEYOND_DEADLINE_MS)
  return await inTurns(pool, 'platen jobs.document_fetch', async (client) => {
    const { rows } = await client.query<LeasedFetch>(LEASE, [now, until, createdAfter, limit])
    return rows
  })
}
