/**
 * An idempotency key has a row from the statement that creates its job (`create-jobs.ts`) until it expires
 * (`timers/sweep-old-rows.ts`). A request that creates no job stores no key.
 */
import type { GetIdempotencyKeyRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { IdempotencyKeyEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { findJob, readBatch } from './get-job.ts'

/**
 * @returns the job or batch that the key has created, if any.
 * @throws ApiError `idempotency_key_reused` if its request had another body.
 */
export async function getIdempotencyKey(jobs: Jobs, { organizationId, mode, idempotency }: GetIdempotencyKeyRequest) {
  if (!idempotency) return {}
  const where = { organizationId, mode, key: idempotency.key }
  const stored = await jobs.orm.em.fork().findOne(IdempotencyKeyEntity, where)
  if (!stored) return {}
  if (!hasBodyHash(idempotency, stored.bodyHash)) throw keyReused()
  const job = await findJob(jobs, { organizationId, mode, jobId: stored.jobId })
  return job.batchId === undefined ? { job } : { batch: await readBatch(jobs, { organizationId, mode }, job.id) }
}

/** Whether the request has the body whose hash is stored. A request has a hash for each signing key. */
export const hasBodyHash = (idempotency: { bodyHashes: Uint8Array[] } | undefined, stored: Buffer | null): boolean =>
  idempotency?.bodyHashes.some((hash) => stored?.equals(hash)) ?? false

export const keyReused = () =>
  new ApiError(
    'idempotency_key_reused',
    'This `Idempotency-Key` was used with a different body. Use a new key for each new job.',
    { param: 'Idempotency-Key' },
  )
