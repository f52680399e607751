/**
 * Limits of what an organization has. Reference: docs/reference/limits.md#budgets.
 *
 * Creations count nothing, because a count would be a row that all creations of an organization update. A timer finds
 * the organizations with recent creations that have reached a limit, from existing rows, and creations are decided by
 * its last result. So an organization can exceed a limit by the jobs that it creates in one interval of the timer, at
 * each replica.
 */
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { lowestId } from '@platen/runtime/database/partitions.ts'
import type { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'
import type { Jobs } from '../jobs.ts'
import { minCommitSeq } from '../lists/commit-seq-bounds.ts'

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

/**
 * Reads up to `max` entries of the index `job_unfinished` for each owner: 100,000 in 20 ms, 1,000 owners with few jobs
 * in 6 ms.
 */
const UNFINISHED_EXCEEDED = `
SELECT organization_id || ' ' || mode AS owner FROM unnest($1::uuid[], $2::text[]) AS checked (organization_id, mode)
WHERE EXISTS (
  SELECT FROM jobs.job
  WHERE job.organization_id = checked.organization_id AND job.mode = checked.mode AND final_state IS NULL
  OFFSET $3 - 1
)`

/** Unfinished jobs of an organization and mode. */
export function createUnfinishedJobsQuota(pool: Pool, max: number): Quota {
  return createQuota(
    async (owners) => {
      const [ids, modes] = [0, 1].map((part) => owners.map((owner) => owner.split(' ')[part]))
      const statement = { name: 'unfinished jobs', text: UNFINISHED_EXCEEDED, values: [ids, modes, max] }
      return (await pool.query<{ owner: string }>(statement)).rows.map(({ owner }) => owner)
    },
    () => budgetExceeded('unfinishedJobs', max),
  )
}

export interface SummedQuota extends Quota {
  /** Call when the organization has used so much more. */
  add(organizationId: string, amount: number): void
}

/** The state of an organization at its limit, which becomes free slowly. */
const FULL_KEPT_MS = 60_000
const SUM_KEPT_MS = 10 * 60_000
/**
 * A sum is repeated when this part of the rest was used since, so that up to ten replicas do not exceed the limit
 * together.
 */
const ADDED_MAX = 1 / 10

/**
 * Sums are cached, because the sum of many rows takes long (300,000: 85 ms): the nearer an organization is to its
 * limit, the more often it is summed.
 *
 * @param sum of an organization at a time.
 */
function createSummedQuota(
  { clock }: Pick<Jobs, 'clock'>,
  {
    max,
    sum,
    refusal,
  }: { max: number; sum(organizationId: string, now: number): Promise<number>; refusal(): ApiError },
): SummedQuota {
  const sums = new Map<string, { isFull: boolean; mayAdd: number; until: number }>()

  async function read(organizationId: string, now: number) {
    const free = max - (await sum(organizationId, now))
    const isFull = free <= 0
    return { isFull, mayAdd: free * ADDED_MAX, until: now + (isFull ? FULL_KEPT_MS : SUM_KEPT_MS) }
  }

  const quota = createQuota(async (organizationIds) => {
    const now = clock.now().getTime()
    for (const [id, { until }] of sums) if (until <= now) sums.delete(id)
    for (const id of organizationIds) if (!sums.has(id)) sums.set(id, await read(id, now))
    return organizationIds.filter((id) => sums.get(id)?.isFull)
  }, refusal)
  return {
    ...quota,
    add(organizationId, amount) {
      const known = sums.get(organizationId)
      if (!known || known.isFull) return
      known.mayAdd -= amount
      if (known.mayAdd < 0) sums.delete(organizationId)
    },
  }
}

/** Reads the index `job_document` only. A reprint shares a large document and has a small one of its own. */
const STORED_BYTES = `
SELECT COALESCE(sum(file_size_bytes), 0)::float8 AS bytes FROM jobs.job
WHERE organization_id = $1 AND created_at > $2
  AND (storage_key IS NOT NULL AND reprint_of IS NULL OR has_inline_document)`

/** Bytes of an organization in the document store and in the database. */
export const createStoredBytesQuota = (jobs: Pick<Jobs, 'pool' | 'clock' | 'fileRetentionMs'>, max: number) =>
  createSummedQuota(jobs, {
    max,
    async sum(organizationId, now) {
      const values = [organizationId, new Date(now - jobs.fileRetentionMs)]
      const { rows } = await jobs.pool.query<{ bytes: number }>({ name: 'stored bytes', text: STORED_BYTES, values })
      return rows[0]?.bytes ?? 0
    },
    refusal: () => budgetExceeded('storedBytes', max),
  })

const DAY_MS = 24 * 60 * 60 * 1000

/** Live jobs of an organization in the last 24 hours. Reads the index `job_page` only. */
export const createJobsPerDayQuota = (jobs: Pick<Jobs, 'pool' | 'clock'>, max: number) =>
  createSummedQuota(jobs, {
    max,
    async sum(organizationId, now) {
      const since = new Date(now - DAY_MS)
      const values: unknown[] = [organizationId, lowestId(since)]
      const fromCommitSeq = minCommitSeq(since, (value) => `$${values.push(value)}`)
      const text = `SELECT count(*)::float8 AS jobs FROM jobs.job
        WHERE organization_id = $1 AND mode = 'live' AND commit_seq >= COALESCE(${fromCommitSeq}, 0) AND id >= $2::uuid`
      const { rows } = await jobs.pool.query<{ jobs: number }>({ name: 'jobs of a day', text, values })
      return rows[0]?.jobs ?? 0
    },
    refusal: () => budgetExceeded('jobsPerDay', max),
  })
