import { create } from '@bufbuild/protobuf'
import {
  type CreateBatchRequest,
  type CreateBatchResponse,
  CreateBatchResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BATCH_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createBatch as createRows, type NewJob } from '../create-jobs.ts'
import type { Jobs } from '../jobs.ts'
import { createdToProto, newJob, recordCreated, refusalToProto, toRefusal } from './create-jobs.ts'
import { hasBodyHash, keyReused } from './get-idempotency-key.ts'
import { readBatch } from './get-job.ts'

/**
 * Accepts the jobs of a batch, which are durable when the call returns, or none. A call with the same ids changes
 * nothing.
 *
 * @returns the batch, or the first refusal, with the errors of `createJobs`.
 * @throws ApiError `idempotency_key_reused`; `invalid_request` for none or too many creations, or several organizations
 *   or modes.
 */
export async function createBatch(
  jobs: Jobs,
  { batchId, creations, idempotency }: CreateBatchRequest,
): Promise<CreateBatchResponse> {
  const [first] = creations
  if (
    !first ||
    creations.length > BATCH_LIMITS.jobsMax ||
    creations.some(({ organizationId, mode }) => organizationId !== first.organizationId || mode !== first.mode)
  )
    throw new ApiError('invalid_request', `A batch has 1 to ${BATCH_LIMITS.jobsMax} jobs of one organization and mode.`)
  const createdAt = jobs.clock.now()
  const resolved: NewJob[] = []
  for (const [index, creation] of creations.entries()) {
    const job = await newJob(jobs, creation, createdAt).catch(toRefusal)
    if (job instanceof ApiError) return toRefused(index, job)
    resolved.push(job)
  }
  const [head, ...others] = resolved as [NewJob, ...NewJob[]]
  const outcome = await createRows(jobs.pool, batchId, [{ ...head, ...(idempotency && { idempotency }) }, ...others])
  if ('refusal' in outcome) return toRefused(outcome.index, outcome.refusal)
  if ('numbers' in outcome) {
    recordCreated(jobs, resolved)
    const created = resolved.map((job, n) => createdToProto(job, outcome.numbers[n] ?? null, batchId))
    return create(CreateBatchResponseSchema, { result: { case: 'batch', value: { jobs: created } } })
  }
  const replayed = outcome.known !== head.id
  if (replayed && !hasBodyHash(idempotency, outcome.bodyHash)) throw keyReused()
  const value = await readBatch(jobs, head, outcome.known)
  return create(CreateBatchResponseSchema, { result: { case: 'batch', value }, replayed })
}

const toRefused = (index: number, refusal: ApiError) =>
  create(CreateBatchResponseSchema, {
    result: { case: 'refusal', value: { index, refusal: refusalToProto(refusal) } },
  })
