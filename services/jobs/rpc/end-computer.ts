import type { EndComputerRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { sweepDeletedComputers } from '../timers/sweep-deleted-computers.ts'

/** The highest epoch. No stream can have it, so later claims, acknowledgements and hellos of the computer are refused. */
const MARK_DELETED = `
INSERT INTO jobs.computer_fence (computer_id, epoch, deleted) VALUES ($1, 9223372036854775807, true)
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch, deleted = true`

/**
 * Stores that a computer was deleted and ends its jobs. The devices service repeats the call until it succeeds. The sweep ends jobs that
 * are created later.
 */
export async function endComputer(jobs: Jobs, { computerId }: EndComputerRequest) {
  await jobs.pool.query(MARK_DELETED, [computerId])
  await sweepDeletedComputers(jobs)
  return {}
}
