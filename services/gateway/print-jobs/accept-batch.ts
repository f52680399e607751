/** Creates the jobs of `POST /v1/printjobs/batches`, all or none. Reference: docs/reference/print-jobs.md#batches. */
import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { LARGE } from '../operation/operation.ts'
import { required } from '../required.ts'
import type { Creation } from './creations.ts'
import type { ToCreation } from './to-creation.ts'
import { createDocumentDeletion, isUnused } from './unused-documents.ts'
import { parseBatch } from './upload/batch-request.ts'
import { receiveBatch } from './upload/receive-batch.ts'

export interface CreatedBatch {
  jobs: Job[]
  /** Whether an earlier request with the same key created it. */
  replayed: boolean
}

/** Receives a body within the limit of uploads. */
export type LimitUpload = <Received>(ctx: RequestContext, receive: () => Promise<Received>) => Promise<Received>

export type AcceptBatch = (ctx: RequestContext, tenant: Tenant) => Promise<CreatedBatch>

/** Ids of one millisecond are in the order of their last 32 bits. */
const SEQUENCE_MAX = 2 ** 31

/** Deletes stored documents that no job has: `unused-documents.ts`. */
export function createBatchAcceptance(
  gateway: Omit<Gateway, 'createJob' | 'acceptPrintJob' | 'acceptBatch'>,
  toCreation: ToCreation,
  limitUpload: LimitUpload,
): AcceptBatch {
  const { clock, fileStore, jobs, inlineDocumentBytes } = gateway
  const deleteDocuments = createDocumentDeletion(gateway)

  return async (ctx, tenant) => {
    await fileStore.requireSpace()
    const { idempotency } = ctx.state
    const toId = createIds(clock.now().getTime())
    const store = { fileStore, inlineDocumentBytes, deleteDocuments }
    const received = await limitUpload(ctx, () => receiveBatch(toId, ctx, store, idempotency?.bodyHash.content))
    try {
      return await gateway.limitWork(
        ctx,
        async () => {
          const body = received.fields()
          idempotency?.bodyHash.end(body)
          const creations: Creation[] = []
          // One after the other, so that a batch uses no more of a replica than a request.
          for (const [n, request] of parseBatch(body).entries()) {
            const accepted = { jobId: toId(n), request, received: received.document(n), runLookUp }
            creations.push(
              await toCreation(ctx, tenant, accepted).catch((error: unknown) => {
                throw nameJob(error, n)
              }),
            )
          }
          if (idempotency) idempotency.isSubmitted = true
          const { result, replayed } = await jobs.createBatch({
            batchId: uuidv7(),
            creations,
            idempotency: idempotency && { key: idempotency.key, bodyHashes: idempotency.bodyHash.values() },
          })
          if (result.case === 'batch') {
            if (replayed) await deleteDocuments(received.storedIds)
            return { jobs: result.value.jobs, replayed }
          }
          const { index = 0, refusal } = required(result.value)
          const { code, message, retryAfterSeconds, param } = required(refusal)
          throw nameJob(new ApiError(code as ErrorCode, message, { retryAfterSeconds, param }), index)
        },
        LARGE,
      )
    } catch (error) {
      if (isUnused(ctx, error)) await deleteDocuments(received.storedIds)
      throw error
    }
  }
}

/** @returns the id of each job of a batch. Their order is that of the batch. */
function createIds(msecs: number): (n: number) => string {
  const first = Math.floor(Math.random() * SEQUENCE_MAX)
  const ids: string[] = []
  return (n) => {
    ids[n] ??= uuidv7({ msecs, seq: first + n })
    return ids[n]
  }
}

/** The work of the batch contains it. */
const runLookUp = async <Result>(lookUp: () => Promise<Result>) => await lookUp()

/** Adds which job is refused to a refusal. */
function nameJob(error: unknown, n: number): unknown {
  if (!(error instanceof ApiError) || error.code === 'service_unavailable') return error
  const { code, message, retryAfterSeconds, param } = error
  const field = param === undefined ? '' : `.${param}`
  return new ApiError(code, `\`jobs[${n}]\`: ${message}`, { retryAfterSeconds, param: `jobs[${n}]${field}` })
}
