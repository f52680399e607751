import { create } from '@bufbuild/protobuf'
import {
  type ReleaseIdempotencyKeyRequest,
  type ReleaseIdempotencyKeyResponse,
  ReleaseIdempotencyKeyResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** A creation that is under way holds the row: this waits for it, and then finds it completed. */
const RELEASE = `
DELETE FROM jobs.idempotency_key
WHERE organization_id = $1 AND mode = $2 AND key = $3 AND claim_token = $4 AND job_id IS NULL`

const COMPLETED = `
SELECT job_id FROM jobs.idempotency_key
WHERE organization_id = $1 AND mode = $2 AND key = $3 AND claim_token = $4 AND job_id IS NOT NULL`

/**
 * Ends a claim, so that the next request with the key runs normally. For a caller that does not know what came of its creation this
 * settles it: either the job is made, and is named, or it never will be by this claim.
 */
export async function releaseIdempotencyKey(
  { pool }: Jobs,
  { organizationId, mode, key, claimToken }: ReleaseIdempotencyKeyRequest,
): Promise<ReleaseIdempotencyKeyResponse> {
  const claim = [organizationId, mode, key, claimToken]
  const { rowCount } = await pool.query(RELEASE, claim)
  if (rowCount === 1) return create(ReleaseIdempotencyKeyResponseSchema)
  const { rows } = await pool.query<{ job_id: string }>(COMPLETED, claim)
  return create(ReleaseIdempotencyKeyResponseSchema, { jobId: rows[0]?.job_id })
}
