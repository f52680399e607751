import { create } from '@bufbuild/protobuf'
import {
  type ConfirmRemovalRequest,
  type ConfirmRemovalResponse,
  ConfirmRemovalResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** The order to remove the job need not be repeated any more. */
export async function confirmRemoval(
  { pool }: Jobs,
  { computerId, jobId }: ConfirmRemovalRequest,
): Promise<ConfirmRemovalResponse> {
  await pool.query('DELETE FROM jobs.removal WHERE job_id = $1 AND computer_id = $2', [jobId, computerId])
  return create(ConfirmRemovalResponseSchema)
}
