import type { ListSubmissionsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { submissionToProto } from '../jobs-to-proto.ts'

const LISTED_MAX = 100

/** Scans the index `ipp_submission_of_access`. */
export async function listSubmissions(jobs: Pick<Jobs, 'orm' | 'clock'>, request: ListSubmissionsRequest) {
  const { organizationId, mode, createdBy, printerId, destinationId, number, openOnly } = request
  const now = jobs.clock.now()
  const where = {
    organizationId,
    mode,
    createdBy,
    ...(printerId !== undefined && { printerId }),
    ...(destinationId !== undefined && { destinationId }),
    ...(number !== undefined && { number }),
    ...(openOnly && { endedAt: null, expiresAt: { $gt: now } }),
  }
  const options = { orderBy: { number: 'desc' }, limit: LISTED_MAX } as const
  const found = await jobs.orm.em.fork().find(SubmissionEntity, where, options)
  return { submissions: found.map((one) => submissionToProto(one, now)) }
}
