/** Creates a job from a request with a document. Used by `POST /v1/printjobs` and by the interface of PrintNode. */
import { BODY_MAX_BYTES, UPLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { LIST } from '../operation/operation.ts'
import { createConcurrencyLimit } from '../rate-limit/concurrency-limit.ts'
import { type AcceptBatch, createBatchAcceptance, type LimitUpload } from './accept-batch.ts'
import { type CreatedJob, createCreations } from './creations.ts'
import { createToCreation } from './to-creation.ts'
import { parsePrintJob } from './upload/print-job-request.ts'
import { receivePrintJob } from './upload/receive-print-job.ts'

/** How another interface than `/v1` is read. */
export interface Translation {
  /** The name of the interface, kept with the job. */
  interface: 'printnode'
  /** @param fields the parsed body, with a stand-in for the document. @returns the fields of `POST /v1/printjobs`. */
  fields(fields: unknown): Promise<unknown>
  /** The body, if it is not the one of the request. */
  body?: Parameters<typeof receivePrintJob>[1]
}

export type AcceptPrintJob = (ctx: RequestContext, tenant: Tenant, translation?: Translation) => Promise<CreatedJob>

/**
 * Receives the whole document before it validates the request: first its fields, then the printer, then the document. A stored document
 * that no job has is deleted: if the request is refused or replayed, and if the result of the call to jobs is unknown, because the caller
 * gets an error and repeats the request. (With an `Idempotency-Key` the repeated request finds the job, so the document is kept.)
 */
export function createAcceptance(gateway: Omit<Gateway, 'acceptPrintJob' | 'acceptBatch'>): {
  acceptPrintJob: AcceptPrintJob
  acceptBatch: AcceptBatch
} {
  const { clock, fileStore, log, inlineDocumentBytes } = gateway
  const createJob = createCreations(gateway)
  const limitUploads = createConcurrencyLimit('uploads', UPLOADS_AT_ONCE)
  // A smaller body usually arrives at once, so that a burst of small jobs is limited by the request rate only.
  const isUpload = ({ req }: RequestContext) =>
    Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY) > BODY_MAX_BYTES
  const limitUpload: LimitUpload = (ctx, receive) => (isUpload(ctx) ? limitUploads(ctx, receive) : receive())
  const toCreation = createToCreation(gateway)

  const acceptPrintJob: AcceptPrintJob = async (ctx, tenant, translation) => {
    // Space is required before small documents as well, because the database is usually on the same disk.
    await fileStore.requireSpace()
    const { idempotency } = ctx.state
    // Lists read the time of the creation from this id.
    const jobId = uuidv7({ msecs: clock.now().getTime() })
    const receive = () =>
      receivePrintJob(
        jobId,
        translation?.body ?? ctx,
        { fileStore, inlineDocumentBytes },
        idempotency?.bodyHash.content,
      )
    const received = await limitUpload(ctx, receive)
    const discard = async () => {
      if (!received.isStored) return
      await fileStore.delete(jobId).catch((err: unknown) => {
        log.error(
          { err, storage_key: jobId },
          'failed to delete a document without a job, it stays until its retention time ends',
        )
      })
    }
    try {
      const body = received.fields()
      idempotency?.bodyHash.end(body)
      const request = parsePrintJob(translation ? await translation.fields(body) : body)
      const creation = await toCreation(ctx, tenant, {
        ...{ jobId, request, received },
        runLookUp: (lookUp) => gateway.limitWork(ctx, lookUp, LIST),
        interface: translation?.interface,
      })
      if (idempotency) idempotency.isSubmitted = true
      const created = await createJob({
        ...creation,
        idempotency: idempotency && { key: idempotency.key, bodyHashes: idempotency.bodyHash.values() },
      })
      if (created.replayed) await discard()
      return created
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      if (!idempotency?.isSubmitted || isRefused) await discard()
      throw error
    }
  }

  return { acceptPrintJob, acceptBatch: createBatchAcceptance(gateway, toCreation, limitUpload) }
}
