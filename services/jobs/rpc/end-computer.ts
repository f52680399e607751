import type { EndComputerRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { sweepDeletedComputers } from '../timers/sweep-deleted-computers.ts'

/** No stream has this epoch, so nobody can claim or acknowledge the computer's jobs any more, nor raise its fence. */
const MARK_DELETED = `
INSERT INTO jobs.computer_fence (computer_id, epoch, deleted) VALUES ($1, 9223372036854775807, true)
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch, deleted = true`

/**
 * Remembers that a computer was deleted, and ends its jobs. Once this has come back the sweep sees to those that are created later, so
 * that devices, which repeats this until it has, is done.
 */
export async function endComputer(jobs: Jobs, { computerId }: EndComputerRequest) {
  await jobs.pool.query(MARK_DELETED, [computerId])
  await sweepDeletedComputers(jobs)
  return {}
}
