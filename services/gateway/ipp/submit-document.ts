/** Receives a document and creates its job. Used by Print-Job and Send-Document. */

import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Gateway } from '../gateway.ts'
import { RequestAborted } from '../request/read-body.ts'
import { receiveDocument } from './documents/receive-document.ts'
import { requireCompression, requireFormat } from './documents/require-format.ts'
import { type NewIppJob, SOURCE } from './new-job.ts'
import type { AccessCall } from './operation.ts'

interface Submitted extends Pick<NewIppJob, 'title' | 'reportedUser' | 'options' | 'qty'> {
  jobId: string
  /** Whether a submission has this id. */
  submitted: boolean
  document: AsyncGenerator<Buffer>
}

/** @throws IppRefusal, ApiError; then nothing was created. */
export async function submitDocument(gateway: Gateway, call: AccessCall, submitted: Submitted): Promise<Job> {
  const { ctx, tenant, offer, operationAttributes, target } = call
  const { jobId, title, options, qty, document } = submitted
  const expected = {
    format: requireFormat(operationAttributes, offer),
    compression: requireCompression(operationAttributes),
  }
  await gateway.fileStore.requireSpace()
  const receive = () => receiveDocument(gateway, jobId, document, expected, offer)
  const { received, contentType } = await call.limitDocuments(ctx, receive)
  const { job } = await gateway.createJob(ctx, tenant, {
    jobId,
    received,
    readRequest: () => ({
      ...(target.isDestination ? { destination: target.id } : { printerId: target.id }),
      title,
      source: SOURCE,
      qty,
      options,
      hold: false,
      metadata: {},
      document: { contentType, authentication: undefined },
    }),
    interface: 'ipp',
    reportedUser: submitted.reportedUser || undefined,
    submitted: submitted.submitted,
  })
  return job
}

/**
 * A creation that failed by an outage, also when it was repeated, may have created the job. A computer would print it
 * again after an error, so it gets the job if there is one, and no answer if that cannot be learned.
 *
 * @param find returns undefined if there is no job.
 * @throws `error`, RequestAborted.
 */
export async function requireCreated(error: unknown, find: () => Promise<Job | undefined>): Promise<Job> {
  if (!(error instanceof ApiError) || error.status < 500) throw error
  const job = await find().catch((cause: unknown) => {
    throw new RequestAborted('It is unknown whether the job was created.', { cause })
  })
  if (!job) throw error
  return job
}
