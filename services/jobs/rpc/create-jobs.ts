import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  type CreateJobsRequest,
  type CreateJobsResponse,
  CreateJobsResponseSchema,
  type JobCreation,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { jobsCreated } from '@platen/runtime/telemetry/metrics.ts'
import { validate as isUuid } from 'uuid'
import { type Creation, createJobs as createRows, type NewJob } from '../create-jobs.ts'
import type { Job } from '../entities.ts'
import { resolveDocument } from '../fetches/resolve-document.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { creationLimit } from '../limits/creation-limit.ts'
import { type Actor, HELD, SCHEDULED } from '../states.ts'
import { toWaiting } from '../to-waiting.ts'
import { hasBodyHash, keyReused } from './get-idempotency-key.ts'
import { findJob } from './get-job.ts'

/**
 * Accepts jobs, which are durable when the call returns. A call with the same ids changes nothing.
 *
 * @returns a job or a refusal for each creation: `invalid_request` if `job_id` is not a UUID, `not_found` or
 *   `file_expired` for a reprint, `test_mode_daily_cap`, `quota_exceeded`, `rate_limited`, `storage_unavailable`,
 *   `idempotency_key_reused`.
 * @throws ApiError `invalid_request` for a duplicate `job_id`.
 */
export async function createJobs(jobs: Jobs, { creations }: CreateJobsRequest): Promise<CreateJobsResponse> {
  if (new Set(creations.map(({ jobId }) => jobId)).size !== creations.length)
    throw new ApiError('invalid_request', 'Each `job_id` must be unique within a call.')
  // One time, so that an organization and mode has one period in the call, by which its jobs are numbered.
  const createdAt = jobs.clock.now()
  const resolved = await Promise.all(creations.map((creation) => newJob(jobs, creation, createdAt).catch(toRefusal)))
  const accepted = resolved.filter((job): job is NewJob => !(job instanceof ApiError))
  const outcomes = await createRows(jobs.pool, accepted)
  recordCreated(
    jobs,
    accepted.filter(({ id }) => isCreated(outcomes.get(id))),
  )
  return create(CreateJobsResponseSchema, {
    results: await Promise.all(
      resolved.map(async (job) => {
        const result = job instanceof ApiError ? job : await toResult(jobs, job, outcomes.get(job.id)).catch(toRefusal)
        if (!(result instanceof ApiError)) return result
        return { result: { case: 'refusal' as const, value: refusalToProto(result) } }
      }),
    ),
  })
}

export const refusalToProto = ({ code, message, retryAfterSeconds, param }: ApiError) => ({
  code,
  message,
  retryAfterSeconds,
  param,
})

/** @throws other errors, which fail the whole call. */
export function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError && error.code !== 'service_unavailable') return error
  throw error
}

export async function newJob(jobs: Jobs, creation: JobCreation, createdAt: Date): Promise<NewJob> {
  if (!isUuid(creation.jobId)) throw new ApiError('invalid_request', '`job_id` must be a UUID.')
  const { jobId, discardsDocument, hold, idempotency, printsLimit, document: _, ...facts } = creation
  const { organizationId, mode } = facts
  const { testJobsPerDay } = jobs
  const document = await resolveDocument(jobs, creation, createdAt)
  const notBefore = creation.notBefore ? timestampDate(creation.notBefore) : createdAt
  const isScheduled = notBefore > createdAt
  return {
    ...facts,
    id: jobId,
    options: creation.options ?? {},
    notBefore: isScheduled ? notBefore : null,
    stateReasons: [...(hold ? [HELD] : []), ...(isScheduled ? [SCHEDULED] : [])],
    expiresAt: new Date((isScheduled ? notBefore : createdAt).getTime() + creation.expireAfterSeconds * 1000),
    ...document,
    retain: !discardsDocument,
    createdAt,
    actor: creation.actor as Actor,
    createdBy: creation.createdBy || null,
    limit: creationLimit({ organizationId, mode, createdAt }, { testJobsPerDay, printsLimit }),
    refusal:
      jobs.databaseLimit.check() ??
      jobs.unfinishedJobs.check(`${organizationId} ${mode}`) ??
      (mode === 'live' ? jobs.jobsPerDay.check(organizationId) : undefined) ??
      (addsDocument(document) ? jobs.storedBytes.check(organizationId) : undefined),
    ...(idempotency && { idempotency }),
  }
}

/** False for reprints that share the document of their original. */
const addsDocument = ({ storageKey, reprintOf }: Pick<NewJob, 'storageKey' | 'reprintOf'>) =>
  storageKey === null || reprintOf === null

/** After the commit. */
export function recordCreated(jobs: Jobs, created: NewJob[]): void {
  if (created.length === 0) return
  for (const job of created) {
    if (addsDocument(job)) jobs.storedBytes.add(job.organizationId, job.fileSizeBytes ?? 0)
    if (job.mode === 'live') jobs.jobsPerDay.add(job.organizationId, 1)
  }
  for (const { mode, contentType: type } of created) jobsCreated.add(1, { mode, type })
  jobs.eventsAdded()
  for (const { id, content } of created) if (content) jobs.recentDocuments.add(id, content)
  if (created.some(({ fetch }) => fetch)) jobs.fetchesAdded()
  // A job that waits for its fetch, its release or its time cannot be claimed yet.
  jobs.announceWaiting(
    created
      .filter(({ fetch, stateReasons }) => !fetch && stateReasons.length === 0)
      .map(({ id, computerId: computer_id, destinationId = null }) =>
        toWaiting({ computer_id, waiting_destination_id: destinationId }, id),
      ),
  )
}

const isCreated = (creation: Creation | undefined) =>
  creation !== undefined && !(creation instanceof ApiError) && 'number' in creation

const QUEUED_FACTS = {
  state: 'queued',
  stateMessage: null,
  version: 1,
  attempt: 0,
  sentAt: null,
  receivedAt: null,
  printingAt: null,
  finishedAt: null,
  confirmedBy: null,
  cancelledBy: null,
}

/** What the creation lacks is null. */
export function createdToProto(job: NewJob, number: number | null, batchId: string | null = null) {
  const queued = { ...QUEUED_FACTS, number, batchId, hasInlineDocument: job.content !== undefined }
  return jobToProto({ ...job, ...queued } as Job)
}

async function toResult(jobs: Jobs, job: NewJob, creation: Creation | undefined) {
  if (creation === undefined) throw new Error('job was neither created nor refused')
  if (creation instanceof ApiError) throw creation
  if ('number' in creation) return { result: { case: 'job' as const, value: createdToProto(job, creation.number) } }
  const { known, bodyHash } = creation
  // The same id means that the call was repeated.
  const replayed = known !== job.id
  if (replayed && !hasBodyHash(job.idempotency, bodyHash)) throw keyReused()
  const { organizationId, mode } = job
  const value = await findJob(jobs, { organizationId, mode, jobId: known })
  return { result: { case: 'job' as const, value }, replayed }
}
