import type { EndDestinationRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { DestinationFenceEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { sweepDeletedDestinations } from '../timers/sweep-deleted-destinations.ts'

/** The highest revision. No destination has it, so later claims are refused. */
const HIGHEST_REVISION = 2n ** 63n - 1n

/**
 * Stores that a destination was deleted and ends the jobs that wait for it. The devices service repeats the call until
 * it succeeds. The sweep ends jobs that are created later.
 */
export async function endDestination(jobs: Jobs, { destinationId }: EndDestinationRequest) {
  await jobs.orm.em.fork().upsert(DestinationFenceEntity, { destinationId, revision: HIGHEST_REVISION, deleted: true })
  await sweepDeletedDestinations(jobs)
  return {}
}
