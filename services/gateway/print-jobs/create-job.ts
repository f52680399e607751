/** Creates the job of a received document. Used by `POST /v1/printjobs`, and by the interfaces of PrintNode and IPP. */
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { LIST } from '../operation/operation.ts'
import { type CreatedJob, createCreations } from './creations.ts'
import type { ToCreation } from './to-creation.ts'
import { createDocumentDeletion, isUnused } from './unused-documents.ts'
import type { PrintJobRequest } from './upload/print-job-request.ts'
import type { ReceivedPrintJob } from './upload/receive-print-job.ts'

export interface NewJob {
  /** The name of a stored document, too. */
  jobId: string
  received: ReceivedPrintJob
  /** @throws ApiError `invalid_request`. */
  readRequest(): PrintJobRequest | Promise<PrintJobRequest>
  /** The name of another interface than `/v1`, kept with the job. */
  interface?: 'printnode' | 'ipp' | undefined
  /** The user that a computer names, without proof. */
  reportedUser?: string | undefined
  /** Whether a submission of IPP has this id: `jobs.ipp_submission`. */
  submitted?: boolean
}

const isOutage = (error: unknown) => error instanceof ApiError && error.status >= 500

export type CreateJob = (ctx: RequestContext, tenant: Tenant, job: NewJob) => Promise<CreatedJob>

/** Deletes a stored document that no job has: `unused-documents.ts`. */
export function createJobCreation(
  gateway: Omit<Gateway, 'createJob' | 'acceptPrintJob' | 'acceptBatch'>,
  toCreation: ToCreation,
): CreateJob {
  const deleteDocuments = createDocumentDeletion(gateway)
  const submit = createCreations(gateway)

  async function discard({ jobId, received }: NewJob): Promise<void> {
    if (received.isStored) await deleteDocuments([jobId])
  }

  async function create(ctx: RequestContext, tenant: Tenant, job: NewJob): Promise<CreatedJob> {
    const { jobId, received } = job
    const { idempotency } = ctx.state
    const creation = await toCreation(ctx, tenant, {
      ...{ jobId, received, request: await job.readRequest() },
      runLookUp: (lookUp) => gateway.limitWork(ctx, lookUp, LIST),
      interface: job.interface,
    })
    if (idempotency) idempotency.isSubmitted = true
    const submitted = {
      ...creation,
      reportedUser: job.reportedUser,
      submitted: job.submitted,
      idempotency: idempotency && { key: idempotency.key, bodyHashes: idempotency.bodyHash.values() },
    }
    return await submit(submitted).catch((error: unknown) => {
      if (job.interface !== 'ipp' || !isOutage(error)) throw error
      // A statement may be in flight that a look-up does not see. A computer would send its document again after an
      // error, for another job; a repeated creation has the same id and waits for that statement.
      return submit(submitted)
    })
  }

  return async (ctx, tenant, job) => {
    try {
      const created = await create(ctx, tenant, job)
      if (created.replayed) await discard(job)
      return created
    } catch (error) {
      if (isUnused(ctx, error, job.interface === 'ipp')) await discard(job)
      throw error
    }
  }
}
