/**
 * Limits of what an organization has. Reference: docs/reference/limits.md#unfinished-jobs and #stored-documents.
 *
 * Creations count nothing, because a count would be a row that all creations of an organization update. A timer finds the organizations with
 * recent creations that have reached a limit, from existing rows, and creations are decided by its last result. So an organization can
 * exceed a limit by the jobs that it creates in one interval of the timer, at each replica.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'
import type { Jobs } from './jobs.ts'

const UNFINISHED_RETRY_AFTER_SECONDS = 60

export interface Quota {
  /**
   * @param owner the organization, and the mode if it has a limit of its own.
   * @returns the refusal of a creation, if the owner had reached its limit at the last sweep.
   */
  check(owner: string): ApiError | undefined
  sweep(): Promise<void>
}

/**
 * @param findExceeded selects the owners that have reached their limit.
 */
function createQuota(findExceeded: (owners: string[]) => Promise<string[]>, refusal: () => ApiError): Quota {
  /** Since the last sweep. */
  let checked = new Set<string>()
  let exceeded = new Set<string>()
  return {
    check(owner) {
      if (exceeded.has(owner)) return refusal()
      checked.add(owner)
      return undefined
    },
    async sweep() {
      const owners = new Set([...checked, ...exceeded])
      checked = new Set()
      exceeded = new Set(owners.size === 0 ? [] : await findExceeded([...owners]))
    },
  }
}

/** Reads up to `max` entries of the index `job_page_state` for each owner: 100,000 in 20 ms, 1,000 owners with few jobs in 6 ms. */
const UNFINISHED_EXCEEDED = `
SELECT organization_id || ' ' || mode AS owner FROM unnest($1::uuid[], $2::text[]) AS checked (organization_id, mode)
WHERE EXISTS (
  SELECT FROM jobs.job
  WHERE job.organization_id = checked.organization_id AND job.mode = checked.mode AND final_state IS NULL
  OFFSET $3 - 1
)`

/** Unfinished jobs of an organization and mode. */
export function createUnfinishedJobsQuota(pool: Pool, max: number): Quota {
  const message = `The organization has the limit of ${max} unfinished jobs in this mode. Wait until jobs end, or cancel some.`
  return createQuota(
    async (owners) => {
      const [ids, modes] = [0, 1].map((part) => owners.map((owner) => owner.split(' ')[part]))
      const statement = { name: 'unfinished jobs', text: UNFINISHED_EXCEEDED, values: [ids, modes, max] }
      return (await pool.query<{ owner: string }>(statement)).rows.map(({ owner }) => owner)
    },
    () => new ApiError('rate_limited', message, { retryAfterSeconds: UNFINISHED_RETRY_AFTER_SECONDS }),
  )
}

export interface StoredBytesQuota extends Quota {
  /** Call when a document of the organization has been stored. */
  add(organizationId: string, sizeBytes: number): void
}

const GIBIBYTE = 1024 ** 3
/** Documents are deleted only after the retention time, so a full organization stays full for long. */
const FULL_KEPT_MS = 60_000
const SUM_KEPT_MS = 10 * 60_000
/** A sum is repeated when this part of the free bytes was stored since, so that up to ten replicas do not exceed the limit together. */
const ADDED_MAX = 1 / 10

/** Reads the index `job_stored` only. */
const STORED_BYTES = `
SELECT COALESCE(sum(file_size_bytes), 0)::float8 AS bytes FROM jobs.job
WHERE organization_id = $1 AND created_at > $2 AND storage_key IS NOT NULL AND reprint_of IS NULL`

/**
 * Bytes of an organization in the document store. Sums are cached, because the sum of many documents takes long (300,000: 85 ms): the fuller
 * the organization, the more often it is summed.
 */
export function createStoredBytesQuota(
  { pool, clock, fileRetentionMs }: Pick<Jobs, 'pool' | 'clock' | 'fileRetentionMs'>,
  max: number,
): StoredBytesQuota {
  const sums = new Map<string, { isFull: boolean; mayAdd: number; until: number }>()

  async function sum(organizationId: string, now: number) {
    const values = [organizationId, new Date(now - fileRetentionMs)]
    const { rows } = await pool.query<{ bytes: number }>({ name: 'stored bytes', text: STORED_BYTES, values })
    const free = max - (rows[0]?.bytes ?? 0)
    const isFull = free <= 0
    return { isFull, mayAdd: free * ADDED_MAX, until: now + (isFull ? FULL_KEPT_MS : SUM_KEPT_MS) }
  }

  const message = `The organization has the limit of ${(max / GIBIBYTE).toLocaleString('en')} GiB of stored documents. The oldest are deleted when their retention time ends.`
  const quota = createQuota(
    async (organizationIds) => {
      const now = clock.now().getTime()
      for (const [id, { until }] of sums) if (until <= now) sums.delete(id)
      for (const id of organizationIds) if (!sums.has(id)) sums.set(id, await sum(id, now))
      return organizationIds.filter((id) => sums.get(id)?.isFull)
    },
    () => new ApiError('quota_exceeded', message),
  )
  return {
    ...quota,
    add(organizationId, sizeBytes) {
      const known = sums.get(organizationId)
      if (!known || known.isFull) return
      known.mayAdd -= sizeBytes
      if (known.mayAdd < 0) sums.delete(organizationId)
    },
  }
}
