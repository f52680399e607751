/**
 * Limits of what an organization has. Reference: docs/reference/limits.md#unfinished-jobs.
 *
 * Creations count nothing, because a count would be a row that all creations of an organization update. A timer finds the organizations with
 * recent creations that have reached a limit, from existing rows, and creations are decided by its last result. So an organization can
 * exceed a limit by the jobs that it creates in one interval of the timer, at each replica.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'

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
