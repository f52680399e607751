import type { InspectJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { readJobDetails } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'

/** For operators, so it is not limited to an organization. @throws ApiError `not_found`. */
export async function inspectJob(jobs: Jobs, { jobId }: InspectJobRequest) {
  const found = await readJobDetails(jobs, { id: jobId })
  if (!found) throw new ApiError('not_found', `There is no job ${jobId}.`)
  const { storageKey, hasInlineDocument } = found.job
  return { details: found.details, storageKey: storageKey ?? '', hasInlineDocument }
}
