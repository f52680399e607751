import type { GetJobRequest, Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { JobEntity } from '../entities.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'

export async function getJob(jobs: Jobs, request: GetJobRequest) {
  return { job: await findJob(jobs, request) }
}

/** @throws ApiError `not_found` also for a job of another organization or mode. */
export async function findJob(
  { orm }: Pick<Jobs, 'orm'>,
  { organizationId, mode, jobId }: Pick<GetJobRequest, 'organizationId' | 'mode' | 'jobId'>,
): Promise<Job> {
  const job = await orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  return jobToProto(job)
}

export const jobNotFound = (mode: string) =>
  new ApiError('not_found', `There is no print job with this id in ${mode} mode.`)
