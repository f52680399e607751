import type { ConfirmRemovalRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** Stops the repetition of a removal. */
export async function confirmRemoval({ pool }: Jobs, { computerId, jobId }: ConfirmRemovalRequest) {
  await pool.query('DELETE FROM jobs.removal WHERE job_id = $1 AND computer_id = $2', [jobId, computerId])
  return {}
}
