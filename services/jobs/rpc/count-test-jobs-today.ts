import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CountTestJobsTodayRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { CreationCountEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { testPeriod, testPeriodEnd } from '../limits/creation-limit.ts'

/** The number of test jobs of the day, which the daily cap limits. */
export async function countTestJobsToday(
  { orm, clock, testJobsPerDay }: Jobs,
  { organizationId }: CountTestJobsTodayRequest,
) {
  const now = clock.now()
  const where = { organizationId, mode: 'test', period: testPeriod(now) }
  const created = await orm.em.fork().findOne(CreationCountEntity, where)
  return {
    used: created?.count ?? 0,
    limit: testJobsPerDay,
    resetsAt: timestampFromDate(testPeriodEnd(now)),
  }
}
