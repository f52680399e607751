import { create } from '@bufbuild/protobuf'
import {
  type CreateJobRequest,
  type CreateJobResponse,
  CreateJobResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { createJobRow } from '../create-job-row.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'
import type { Actor } from '../states.ts'

/**
 * Accepts a job: when this comes back it is durable. The document must lie in the file store already.
 */
export async function createJob(jobs: Jobs, request: CreateJobRequest): Promise<CreateJobResponse> {
  const createdAt = jobs.clock.now()
  const job = {
    id: uuidv7(),
    organizationId: request.organizationId,
    mode: request.mode,
    printerId: request.printerId,
    computerId: request.computerId,
    title: request.title,
    contentType: request.contentType,
    source: request.source,
    qty: request.qty,
    options: request.options ?? {},
    expireAfterSeconds: request.expireAfterSeconds,
    expiresAt: new Date(createdAt.getTime() + request.expireAfterSeconds * 1000),
    storageKey: request.storageKey,
    fileSizeBytes: Number(request.fileSizeBytes),
    fileSha256: request.fileSha256,
    traceparent: currentTraceparent(),
    createdAt,
  }
  await createJobRow(jobs.pool, job, request.actor as Actor)
  jobs.eventsAdded()
  const yetToCome = { stateMessage: null, sentAt: null, receivedAt: null, printingAt: null, finishedAt: null }
  const queued = { ...job, ...yetToCome, state: 'queued' as const, stateReasons: [], version: 1, attempt: 0 }
  return create(CreateJobResponseSchema, { job: jobToProto(queued) })
}
