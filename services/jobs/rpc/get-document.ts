import type { GetDocumentRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { readInlineDocument } from '../documents/inline-documents.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'

/** @throws ApiError `not_found` unless the job was sent to this computer and is unfinished. */
export async function getDocument(jobs: Jobs, request: GetDocumentRequest) {
  const { jobId, computerId } = request
  const sent = { id: jobId, computerId, state: { $in: ['sent', 'received', 'printing'] as const } }
  const job = await jobs.orm.em
    .fork()
    .findOne(JobEntity, sent, { fields: ['storageKey', 'hasInlineDocument', 'fileSizeBytes', 'fileSha256'] })
  if (!job?.storageKey && !job?.hasInlineDocument)
    throw new ApiError(
      'not_found',
      'The document cannot be downloaded: this computer has no unfinished job with this id.',
    )
  return {
    storageKey: job.storageKey ?? '',
    content: job.hasInlineDocument ? await readInlineDocument(jobs, jobId) : undefined,
    fileSizeBytes: BigInt(job.fileSizeBytes ?? 0),
    fileSha256: job.fileSha256 ?? '',
  }
}
