import type { InspectJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { JobEntity } from '../entities.ts'
import { readJobDetails } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'

/** For operators, so it is not limited to an organization. @throws ApiError `not_found`. */
export async function inspectJob(jobs: Jobs, { jobId }: InspectJobRequest) {
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId })
  if (!job) throw new ApiError('not_found', `There is no job ${jobId}.`)
  return {
    details: await readJobDetails(jobs, job),
    storageKey: job.storageKey ?? '',
    hasInlineDocument: job.hasInlineDocument,
  }
}
