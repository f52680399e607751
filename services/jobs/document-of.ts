import type { CreateJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { NewJob } from './create-job-row.ts'
import { JobEntity } from './entities.ts'
import type { Jobs } from './jobs.ts'

type Document = Pick<NewJob, 'contentType' | 'storageKey' | 'fileSizeBytes' | 'fileSha256' | 'reprintOf' | 'fetch'> &
  Partial<Pick<NewJob, 'effectiveOptions' | 'optionWarning' | 'originalCreatedAt'>>

/** Raw jobs ignore options. Who asks for a reprint does not know whether it is one. */
const OPTIONS_OF_RAW = { effectiveOptions: {}, optionWarning: null }

/**
 * Where the document of a new job is, or is to come from. A reprint names the stored document of its original, no byte of which is
 * moved: a document is kept for the youngest job that names it.
 *
 * @throws ApiError `not_found` for an original of another organization or mode; `file_expired` when it has no stored document (any more).
 */
export async function documentOf(jobs: Jobs, request: CreateJobRequest, now: Date): Promise<Document> {
  const { contentType, storageKey, fileSizeBytes, fileSha256 } = request
  if (request.reprintOf !== '') return await documentOfOriginal(jobs, request, now)
  if (!request.fetch)
    return { contentType, storageKey, fileSizeBytes: Number(fileSizeBytes), fileSha256, reprintOf: null }
  const { url, credentials } = request.fetch
  const source = credentials
    ? { url, credentials: { user: credentials.user, password: credentials.password } }
    : { url }
  const fetch = jobs.vault.seal(request.jobId, source)
  return { contentType, storageKey: null, fileSizeBytes: null, fileSha256: null, reprintOf: null, fetch }
}

async function documentOfOriginal(jobs: Jobs, request: CreateJobRequest, now: Date): Promise<Document> {
  const { reprintOf, organizationId, mode } = request
  const original = await jobs.orm.em.fork().findOne(JobEntity, { id: reprintOf, organizationId, mode })
  if (!original) throw new ApiError('not_found', 'There is no print job with the id of `reprintOf`.')
  const { contentType, storageKey, fileSizeBytes, fileSha256, createdAt } = original
  if (storageKey === null)
    throw new ApiError('file_expired', 'The job of `reprintOf` has no stored file. Create a job with its content.')
  if (now.getTime() - createdAt.getTime() >= jobs.fileRetentionMs) throw fileExpired()
  const options = contentType.startsWith('raw_') ? OPTIONS_OF_RAW : {}
  return { contentType, storageKey, fileSizeBytes, fileSha256, reprintOf, originalCreatedAt: createdAt, ...options }
}

export const fileExpired = () =>
  new ApiError('file_expired', 'The file of `reprintOf` is not kept any more. Create a job with its content.')
