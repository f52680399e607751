import type { GetStoredDocumentRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { readInlineDocument } from '../documents/inline-documents.ts'
import { JobEntity } from '../entities.ts'
import { hasDocument, isFetching } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'
import { jobNotFound } from './get-job.ts'

/**
 * A document is not read after its retention, although its partition is dropped later or a reprint keeps it.
 *
 * @throws ApiError `not_found` also for a job of another organization or mode, and with the reason if no document is
 *   stored; `file_expired` after the end of a job with `retain` false.
 */
export async function getStoredDocument(jobs: Jobs, { organizationId, mode, jobId }: GetStoredDocumentRequest) {
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  if (!job.retain && job.finishedAt)
    throw new ApiError(
      'file_expired',
      'The document of this job was deleted when the job ended, because its `retain` is false.',
    )
  if (isFetching(job)) throw notStored('it is not fetched from its URL or converted yet')
  if (!hasDocument(job)) throw notStored('it could not be fetched from its URL or converted')
  const keptUntilMs = job.createdAt.getTime() + jobs.fileRetentionMs
  if (job.finishedAt && jobs.clock.now().getTime() >= keptUntilMs)
    throw notStored(`it was deleted at ${new Date(keptUntilMs).toISOString()}, at the end of its retention`)
  const content = job.hasInlineDocument ? await readInlineDocument(jobs, jobId) : undefined
  return {
    storageKey: job.storageKey ?? '',
    fileSizeBytes: BigInt(job.fileSizeBytes ?? 0),
    fileSha256: job.fileSha256 ?? '',
    content,
  }
}

const notStored = (reason: string) => new ApiError('not_found', `The document of this job is not stored: ${reason}.`)
