import type { ListJobEventsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { JobEntity, JobEventEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobEventToProto } from '../jobs-to-proto.ts'
import { jobNotFound } from './get-job.ts'

/** All state changes, oldest first. @throws ApiError `not_found` also for a job of another organization or mode. */
export async function listJobEvents(jobs: Jobs, request: ListJobEventsRequest) {
  const { organizationId, mode, jobId } = request
  const em = jobs.orm.em.fork()
  const job = await em.findOne(JobEntity, { id: jobId, organizationId, mode }, { fields: ['id'] })
  if (!job) throw jobNotFound(mode)
  const events = await em.find(JobEventEntity, { jobId }, { orderBy: { sequence: 'asc' } })
  return { events: events.map(jobEventToProto) }
}
