import { create } from '@bufbuild/protobuf'
import {
  type CreateJobRequest,
  type CreateJobResponse,
  CreateJobResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { validate as isUuid } from 'uuid'
import { createJobRow } from '../create-job-row.ts'
import { creationLimit } from '../creation-limit.ts'
import { documentOf } from '../document-of.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'
import type { Actor } from '../states.ts'

/**
 * Accepts a job: when this comes back it is durable. The document must lie in the file store already, or is fetched from now on, or
 * is that of an earlier job. Repeated with the same id it changes nothing.
 *
 * @throws ApiError `invalid_request` when `job_id` is no UUID; for a reprint `not_found`, `file_expired`; `test_mode_daily_cap`,
 *   `quota_exceeded`; `idempotency_in_progress` when the claim of its key is over.
 */
export async function createJob(jobs: Jobs, request: CreateJobRequest): Promise<CreateJobResponse> {
  if (!isUuid(request.jobId)) throw new ApiError('invalid_request', 'job_id must be a UUID.')
  const createdAt = jobs.clock.now()
  const job = {
    id: request.jobId,
    organizationId: request.organizationId,
    mode: request.mode,
    printerId: request.printerId,
    computerId: request.computerId,
    title: request.title,
    source: request.source,
    qty: request.qty,
    options: request.options ?? {},
    effectiveOptions: request.effectiveOptions ?? null,
    optionWarning: request.optionWarning ?? null,
    expireAfterSeconds: request.expireAfterSeconds,
    expiresAt: new Date(createdAt.getTime() + request.expireAfterSeconds * 1000),
    ...(await documentOf(jobs, request, createdAt)),
    traceparent: currentTraceparent(),
    createdAt,
  }
  const { testJobsPerDay } = jobs
  const limit = creationLimit(job, { testJobsPerDay, printsLimit: request.printsLimit })
  await createJobRow(jobs.pool, job, request.actor as Actor, { limit, claim: request.idempotency })
  jobs.eventsAdded()
  // A job without its document is not for its computer yet.
  if (request.fetch) jobs.fetchesAdded()
  else jobs.announceQueued(request.computerId, request.jobId)
  const yetToCome = { stateMessage: null, sentAt: null, receivedAt: null, printingAt: null, finishedAt: null }
  const queued = { ...job, ...yetToCome, state: 'queued' as const, stateReasons: [], version: 1, attempt: 0 }
  return create(CreateJobResponseSchema, { job: jobToProto(queued) })
}
