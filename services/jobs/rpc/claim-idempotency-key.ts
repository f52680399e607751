import { create } from '@bufbuild/protobuf'
import {
  type ClaimIdempotencyKeyRequest,
  type ClaimIdempotencyKeyResponse,
  ClaimIdempotencyKeyResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { keptSince, leaseUntil } from '../idempotency-keys.ts'
import type { Jobs } from '../jobs.ts'

/** Takes a key that is free, too old, left behind by a request that died, or this claim's own already (the call was repeated). */
const CLAIM = `
INSERT INTO jobs.idempotency_key AS known (organization_id, mode, key, claim_token, created_at, lease_until)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (organization_id, mode, key) DO UPDATE
SET claim_token = excluded.claim_token, created_at = excluded.created_at, lease_until = excluded.lease_until,
  body_hash = NULL, job_id = NULL
WHERE known.created_at <= $7
  OR (known.job_id IS NULL AND (known.lease_until <= $5 OR known.claim_token = excluded.claim_token))`

const COMPLETED = `
SELECT job_id, body_hash FROM jobs.idempotency_key
WHERE organization_id = $1 AND mode = $2 AND key = $3 AND job_id IS NOT NULL`

/**
 * Claims a key for one request, or tells which job it has made. Source: specification, "Idempotency rules".
 *
 * @throws ApiError `idempotency_in_progress` while another request has it.
 */
export async function claimIdempotencyKey(
  { pool, clock, idempotencyKeyMs }: Jobs,
  { organizationId, mode, key, claimToken }: ClaimIdempotencyKeyRequest,
): Promise<ClaimIdempotencyKeyResponse> {
  const now = clock.now()
  const owned = [organizationId, mode, key]
  const claimed = await pool.query({
    name: 'claim idempotency key',
    text: CLAIM,
    values: [...owned, claimToken, now, leaseUntil(now), keptSince(now, idempotencyKeyMs)],
  })
  if (claimed.rowCount === 1) return create(ClaimIdempotencyKeyResponseSchema)
  const { rows } = await pool.query<{ job_id: string; body_hash: Buffer }>(COMPLETED, owned)
  const [completed] = rows
  if (!completed)
    throw new ApiError(
      'idempotency_in_progress',
      'A request with this `Idempotency-Key` is still processing. Try again in a moment.',
    )
  return create(ClaimIdempotencyKeyResponseSchema, {
    completed: { jobId: completed.job_id, bodyHash: completed.body_hash },
  })
}
