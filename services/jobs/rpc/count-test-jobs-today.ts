import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  type CountTestJobsTodayRequest,
  type CountTestJobsTodayResponse,
  CountTestJobsTodayResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** Of the UTC day that it is now, and when the next one begins. */
export async function countTestJobsToday(
  jobs: Jobs,
  { organizationId }: CountTestJobsTodayRequest,
): Promise<CountTestJobsTodayResponse> {
  const now = jobs.clock.now()
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const { rows } = await jobs.pool.query<{ used: number }>(
    `SELECT count(*)::int AS used FROM jobs.job WHERE organization_id = $1 AND mode = 'test' AND created_at >= $2`,
    [organizationId, new Date(today)],
  )
  const resetsAt = timestampFromDate(new Date(today + 24 * 60 * 60 * 1000))
  return create(CountTestJobsTodayResponseSchema, { used: rows[0]?.used ?? 0, resetsAt })
}
