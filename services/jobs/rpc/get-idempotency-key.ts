import type { GetIdempotencyKeyRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { keyReused } from '../idempotency-keys.ts'
import type { Jobs } from '../jobs.ts'
import { findJob } from './get-job.ts'

/** @returns the job that the key has made, if any. @throws ApiError `idempotency_key_reused` when that was from another body. */
export async function getIdempotencyKey(jobs: Jobs, { organizationId, mode, idempotency }: GetIdempotencyKeyRequest) {
  const { rows } = await jobs.pool.query<{ job_id: string; body_hash: Buffer }>(
    'SELECT job_id, body_hash FROM jobs.idempotency_key WHERE organization_id = $1 AND mode = $2 AND key = $3',
    [organizationId, mode, idempotency?.key],
  )
  if (!rows[0]) return {}
  if (!rows[0].body_hash.equals(idempotency?.bodyHash ?? new Uint8Array())) throw keyReused()
  const job = await findJob(jobs, { organizationId, mode, jobId: rows[0].job_id })
  return { job }
}
