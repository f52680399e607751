/** Creates a job from a request with a document. Used by `POST /v1/printjobs` and by the interface of PrintNode. */
import { BODY_MAX_BYTES, UPLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { v7 as uuidv7 } from 'uuid'
import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { createConcurrencyLimit } from '../rate-limit/concurrency-limit.ts'
import { type AcceptBatch, createBatchAcceptance, type LimitUpload } from './accept-batch.ts'
import type { CreatedJob } from './creations.ts'
import type { ToCreation } from './to-creation.ts'
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
 * Receives the whole document before it validates the request: first its fields, then the printer, then the document.
 */
export function createAcceptance(
  gateway: Omit<Gateway, 'acceptPrintJob' | 'acceptBatch'>,
  toCreation: ToCreation,
): { acceptPrintJob: AcceptPrintJob; acceptBatch: AcceptBatch } {
  const { clock, fileStore, inlineDocumentBytes, createJob } = gateway
  const limitUploads = createConcurrencyLimit('uploads', UPLOADS_AT_ONCE)
  // A smaller body usually arrives at once, so that a burst of small jobs is limited by the request rate only.
  const isUpload = ({ req }: RequestContext) =>
    Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY) > BODY_MAX_BYTES
  const limitUpload: LimitUpload = (ctx, receive) => (isUpload(ctx) ? limitUploads(ctx, receive) : receive())

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
    return await createJob(ctx, tenant, {
      jobId,
      received,
      async readRequest() {
        const body = received.fields()
        idempotency?.bodyHash.end(body)
        return parsePrintJob(translation ? await translation.fields(body) : body)
      },
      interface: translation?.interface,
    })
  }

  return { acceptPrintJob, acceptBatch: createBatchAcceptance(gateway, toCreation, limitUpload) }
}
