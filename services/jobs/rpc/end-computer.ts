import type { EndComputerRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ComputerFenceEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { sweepDeletedComputers } from '../timers/sweep-deleted-computers.ts'

/**
 * The highest epoch. No stream can have it, so later claims, acknowledgements and hellos of the computer are refused.
 */
const HIGHEST_EPOCH = 2n ** 63n - 1n

/**
 * Stores that a computer was deleted and ends its jobs. The devices service repeats the call until it succeeds. The
 * sweep ends jobs that are created later.
 */
export async function endComputer(jobs: Jobs, { computerId }: EndComputerRequest) {
  await jobs.orm.em.fork().upsert(ComputerFenceEntity, { computerId, epoch: HIGHEST_EPOCH, deleted: true })
  await sweepDeletedComputers(jobs)
  return {}
}
