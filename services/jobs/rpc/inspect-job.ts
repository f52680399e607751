import type { InspectJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { JobEntity, JobEventEntity } from '../entities.ts'
import { jobEventToProto, jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'

/** For operators, so it is not limited to an organization. @throws ApiError `not_found`. */
export async function inspectJob({ orm }: Pick<Jobs, 'orm'>, { jobId }: InspectJobRequest) {
  const em = orm.em.fork()
  const job = await em.findOne(JobEntity, { id: jobId })
  if (!job) throw new ApiError('not_found', `There is no job ${jobId}.`)
  const events = await em.find(JobEventEntity, { jobId }, { orderBy: { sequence: 'asc' } })
  const { attempt, storageKey, hasInlineDocument, traceparent } = job
  return {
    job: jobToProto(job),
    events: events.map(jobEventToProto),
    attempt,
    storageKey: storageKey ?? '',
    hasInlineDocument,
    traceparent,
  }
}
