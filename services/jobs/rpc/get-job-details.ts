import type { GetJobDetailsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { readJobDetails } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'
import { jobNotFound } from './get-job.ts'

/** @throws ApiError `not_found` also for a job of another organization or mode. */
export async function getJobDetails(jobs: Jobs, { organizationId, mode, jobId }: GetJobDetailsRequest) {
  const found = await readJobDetails(jobs, { id: jobId, organizationId, mode })
  if (!found) throw jobNotFound(mode)
  return { details: found.details }
}
