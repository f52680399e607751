import { JobEntity } from './entities.ts'
import { jobToProto } from './job-to-proto.ts'
import type { Jobs } from './jobs.ts'
import { jobNotFound } from './rpc/get-job.ts'

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
