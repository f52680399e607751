import type { GetJobDetailsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { JobEntity } from '../entities.ts'
import { readJobDetails } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'
import { jobNotFound } from './get-job.ts'

/** @throws ApiError `not_found` also for a job of another organization or mode. */
export async function getJobDetails(jobs: Jobs, { organizationId, mode, jobId }: GetJobDetailsRequest) {
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  return { details: await readJobDetails(jobs, job) }
}
