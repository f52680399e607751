/**
 * Limits of created jobs: test jobs per day, and prints of a plan per calendar month, both in UTC. `create-jobs.ts` counts.
 * Reference: docs/reference/limits.md#test-jobs-per-day and docs/reference/usage.md#plans.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'
import { lowestPlace } from './place-of-time.ts'

export interface CreationLimit {
  /** First day of the period: `2026-01-31`. */
  period: string
  /** Null: no limit. Such a creation is counted only where a count has begun, since the organization may get a limit later. */
  max: number | null
  /** What a creation over `max` is answered with. */
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
export const monthBegin = (at: Date) => `${at.toISOString().slice(0, 7)}-01`

/** The next midnight, UTC. */
export function testPeriodEnd(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
}

/** @param printsLimit of the organization's plan; undefined without one. */
export function creationLimit(
  { mode, createdAt }: LimitedCreation,
  { testJobsPerDay, printsLimit }: { testJobsPerDay: number; printsLimit: number | undefined },
): CreationLimit {
  if (mode !== 'test') return { period: monthBegin(createdAt), max: printsLimit ?? null, refusal: quotaExceeded }
  const refusal = () => {
    const retryAfterSeconds = Math.ceil((testPeriodEnd(createdAt).getTime() - createdAt.getTime()) / 1000)
    const message = `All ${testJobsPerDay} test jobs of this UTC day are used. Go on after midnight UTC, or use a live key.`
    return new ApiError('test_mode_daily_cap', message, { retryAfterSeconds })
  }
  return { period: testPeriod(createdAt), max: testJobsPerDay, refusal }
}

function quotaExceeded(): ApiError {
  return new ApiError('quota_exceeded', "The plan's prints of this month are used. Choose a larger plan to print more.")
}

/**
 * Begins the count of a period with what the organization has already printed in it. Live jobs need no count before there is a limit;
 * test jobs are counted from the first one on, so theirs begins with 0. Of several at once one begins, and no creation with a limit is
 * made before that, so that none is missing from the number.
 */
const beginCountSql = (fromPlace: string) => `
INSERT INTO jobs.creation_count (organization_id, mode, period, count)
SELECT $1, $2, $3, count(*) FROM jobs.job
WHERE organization_id = $1 AND mode = 'live' AND $2 = 'live' AND created_at >= $3::date::timestamp AT TIME ZONE 'UTC'
  AND list_place >= COALESCE(${fromPlace}, 0)
ON CONFLICT DO NOTHING`

export async function beginCount(pool: Pool, { organizationId, mode }: LimitedCreation, period: string): Promise<void> {
  const values: unknown[] = [organizationId, mode, period]
  const fromPlace = lowestPlace(new Date(period), (value) => `$${values.push(value)}`)
  await pool.query(beginCountSql(fromPlace), values)
}
