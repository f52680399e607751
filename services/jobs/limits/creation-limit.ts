/**
 * Limits of created jobs: test jobs per day, and prints of a plan per calendar month, both in UTC. `create-jobs.ts`
 * counts. Reference: docs/reference/limits.md#test-jobs-per-day and docs/reference/usage.md#plans.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'
import { minCommitSeq } from '../lists/commit-seq-bounds.ts'

export interface CreationLimit {
  /** First day of the period: `2026-01-31`. */
  period: string
  /**
   * Null for no limit. Such a creation is counted only if a count exists, because the organization may get a limit
   * later.
   */
  max: number | null
  /** Error of a creation over `max`. */
  refusal(): ApiError
}

export interface LimitedCreation {
  organizationId: string
  mode: string
  createdAt: Date
}

/** The day, UTC. */
export const testPeriod = (at: Date) => at.toISOString().slice(0, 10)
/** First day of the calendar month, UTC. */
export const monthStart = (at: Date) => `${at.toISOString().slice(0, 7)}-01`

/** The next midnight, UTC. */
export function testPeriodEnd(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
}

/** @param printsLimit of the organization's plan; undefined without one. */
export function creationLimit(
  { mode, createdAt }: LimitedCreation,
  { testJobsPerDay, printsLimit }: { testJobsPerDay: number; printsLimit: number | undefined },
): CreationLimit {
  if (mode !== 'test') return { period: monthStart(createdAt), max: printsLimit ?? null, refusal: quotaExceeded }
  const refusal = () => {
    const retryAfterSeconds = Math.ceil((testPeriodEnd(createdAt).getTime() - createdAt.getTime()) / 1000)
    const message = `The limit of ${testJobsPerDay} test jobs per UTC day is reached. Retry after midnight UTC, or use a live key.`
    return new ApiError('test_mode_daily_cap', message, { retryAfterSeconds })
  }
  return { period: testPeriod(createdAt), max: testJobsPerDay, refusal }
}

function quotaExceeded(): ApiError {
  return new ApiError(
    'quota_exceeded',
    "The plan's limit of prints per month is reached. Choose a larger plan to print more.",
  )
}

/**
 * Starts the count of a period with the jobs that the organization has already created in it. Live jobs need no count
 * before the organization has a limit. Test jobs are always counted, so their count starts with 0. No creation with a
 * limit succeeds before the count exists, so the count is complete. Concurrent calls insert one row.
 */
const startCountSql = (fromCommitSeq: string) => `
INSERT INTO jobs.creation_count (organization_id, mode, period, count)
SELECT $1, $2, $3, count(*) FROM jobs.job
WHERE organization_id = $1 AND mode = 'live' AND $2 = 'live' AND created_at >= $3::date::timestamp AT TIME ZONE 'UTC'
  AND commit_seq >= COALESCE(${fromCommitSeq}, 0)
ON CONFLICT DO NOTHING`

export async function startCount(pool: Pool, { organizationId, mode }: LimitedCreation, period: string): Promise<void> {
  const values: unknown[] = [organizationId, mode, period]
  const fromCommitSeq = minCommitSeq(new Date(period), (value) => `$${values.push(value)}`)
  await pool.query(startCountSql(fromCommitSeq), values)
}
