/** Receives a document and creates its job. Used by Print-Job and Send-Document. */

import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Gateway } from '../gateway.ts'
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
