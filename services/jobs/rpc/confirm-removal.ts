import type { ConfirmRemovalRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { RemovalEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'

/** Stops the repetition of a removal. */
export async function confirmRemoval({ orm }: Jobs, { computerId, jobId }: ConfirmRemovalRequest) {
  await orm.em.fork().nativeDelete(RemovalEntity, { jobId, computerId })
  return {}
}
