import type { ConfirmRemovalRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** The order to remove the job need not be repeated any more. */
export async function confirmRemoval({ pool }: Jobs, { computerId, jobId }: ConfirmRemovalRequest) {
  await pool.query('DELETE FROM jobs.removal WHERE job_id = $1 AND computer_id = $2', [jobId, computerId])
  return {}
}
