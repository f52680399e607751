import type { ReleaseJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { JobEntity } from '../entities.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'
import { HELD } from '../states.ts'
import { jobNotFound } from './get-job.ts'

const RELEASE = `
UPDATE jobs.job SET state_reasons = array_remove(state_reasons, '${HELD}')
WHERE id = $1 AND organization_id = $2 AND mode = $3 AND state = 'queued' AND '${HELD}' = ANY(state_reasons)
RETURNING computer_id`

/**
 * Lets a held job be printed. Changes no other job, so that the call can be repeated. Reference:
 * docs/reference/print-jobs.md#held-and-scheduled-jobs.
 *
 * @throws ApiError `not_found` also for a job of another organization or mode.
 */
export async function releaseJob(jobs: Jobs, { organizationId, mode, jobId }: ReleaseJobRequest) {
  const { rows } = await jobs.pool.query<{ computer_id: string }>({
    name: 'release job',
    text: RELEASE,
    values: [jobId, organizationId, mode],
  })
  jobs.announceWaiting(rows.map(({ computer_id }) => [computer_id, jobId]))
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  return { job: jobToProto(job) }
}
