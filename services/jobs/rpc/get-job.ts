import type { GetJobRequest, Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'

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

/**
 * @returns the jobs of the batch of a job, in their order.
 * @throws ApiError `not_found` also for a job of another organization or mode, or without a batch.
 */
export async function readBatch(
  { orm }: Pick<Jobs, 'orm'>,
  { organizationId, mode }: { organizationId: string; mode: string },
  jobId: string,
) {
  const em = orm.em.fork()
  const job = await em.findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job?.batchId) throw jobNotFound(mode)
  // The ids of a batch are in its order.
  const found = await em.find(JobEntity, { batchId: job.batchId, organizationId, mode }, { orderBy: { id: 'asc' } })
  return { jobs: found.map(jobToProto) }
}

export const jobNotFound = (mode: string) =>
  new ApiError('not_found', `There is no print job with this id in ${mode} mode.`)
