import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { SummarizeJobsRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { FAILED_STATES } from '@platen/resources/job-states.ts'
import { toPercentiles } from '../histogram.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

const FAILURES_MAX = 100

/** Reads the hours of failed jobs by `job_count_failed`. Takes no locks. */
const FAILURES = `
SELECT state, reason, sum(jobs)::text AS jobs, count(DISTINCT value)::int AS printers, min(value) AS "printerId"
FROM usage.job_count
WHERE organization_id = $1 AND mode = $2 AND interval = 'hour' AND dimension = 'printer'
  AND start >= date_trunc('hour', $3::timestamptz, 'UTC')
  AND state IN (${FAILED_STATES.map((state) => `'${state}'`).join(', ')})
GROUP BY state, reason ORDER BY sum(jobs) DESC, state, reason LIMIT ${FAILURES_MAX}`

const DURATIONS = `
SELECT done::text FROM usage.job_count
WHERE organization_id = $1 AND mode = $2 AND interval = 'hour' AND dimension = 'all'
  AND start >= date_trunc('hour', $3::timestamptz, 'UTC')
  AND value = '' AND state = 'done'`

interface Failure {
  state: string
  reason: string
  jobs: string
  printers: number
  printerId: string
}

/** @throws ApiError `invalid_request` if `organization_id` is not a UUID. */
export async function summarizeJobs({ lists, clock }: Usage, request: SummarizeJobsRequest) {
  const from = request.from ? timestampDate(request.from) : clock.now()
  const values = [parseOrganizationId(request), request.mode, from]
  const [failures, durations] = await Promise.all([
    lists.query<Failure>(FAILURES, values),
    lists.query<{ done: string }>(DURATIONS, values),
  ])
  return {
    failures: failures.rows.map((failure) => ({ ...failure, jobs: BigInt(failure.jobs) })),
    done: toPercentiles(durations.rows.map(({ done }) => done)),
  }
}
