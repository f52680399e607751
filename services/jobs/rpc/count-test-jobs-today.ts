import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CountTestJobsTodayRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { testPeriod, testPeriodEnd } from '../limits/creation-limit.ts'

const COUNT = `SELECT count FROM jobs.creation_count WHERE organization_id = $1 AND mode = 'test' AND period = $2`

/** The number of test jobs of the day, which the daily cap limits. */
export async function countTestJobsToday(
  { pool, clock, testJobsPerDay }: Jobs,
  { organizationId }: CountTestJobsTodayRequest,
) {
  const now = clock.now()
  const { rows } = await pool.query<{ count: number }>(COUNT, [organizationId, testPeriod(now)])
  return {
    used: rows[0]?.count ?? 0,
    limit: testJobsPerDay,
    resetsAt: timestampFromDate(testPeriodEnd(now)),
  }
}
