import type { ListPrinterQueuesRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Job } from '../entities.ts'
import { isFetching } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { getColumns } from '../lists/list-jobs.ts'
import { IS_ACTIVE, IS_HELD_BACK } from '../states.ts'

/** The first accepted ones. */
const JOBS_MAX = 10_000
const QUEUES_MAX = 1_000

/** Reads the unfinished jobs of the organization and mode by `job_unfinished`. Takes no locks. */
const toSql = (columns: string) => `
WITH unfinished AS MATERIALIZED (
  SELECT id, printer_id, commit_seq FROM jobs.job
  WHERE organization_id = $1 AND mode = $2 AND ${IS_ACTIVE} AND NOT ${IS_HELD_BACK}
  ORDER BY commit_seq, id LIMIT ${JOBS_MAX}
),
queue AS (
  SELECT (array_agg(id ORDER BY commit_seq, id))[1] AS id, count(*)::int AS queued, min(commit_seq) AS first_seq
  FROM unfinished GROUP BY printer_id ORDER BY first_seq LIMIT ${QUEUES_MAX}
)
SELECT ${columns}, queued, (SELECT count(*)::int FROM unfinished) AS total FROM queue JOIN jobs.job USING (id)
ORDER BY first_seq, id`

type Row = Job & { queued: number; total: number }

/** The queues of one organization and mode. A job that waits for a destination is in the queue of no printer. */
export async function listPrinterQueues(
  { lists, orm }: Pick<Jobs, 'lists' | 'orm'>,
  { organizationId, mode }: ListPrinterQueuesRequest,
) {
  const { rows } = await lists.query<Row>(toSql(getColumns(orm)), [organizationId, mode])
  return {
    queues: rows.map((job) => ({ first: jobToProto(job), isFetching: isFetching(job), jobs: job.queued })),
    jobs: rows[0]?.total ?? 0,
    jobsMax: JOBS_MAX,
  }
}
