import type { JobCreation } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { NewJob } from './create-jobs.ts'
import { JobEntity } from './entities.ts'
import { readInlineDocument } from './inline-documents.ts'
import type { Jobs } from './jobs.ts'

type Document = Pick<
  NewJob,
  'contentType' | 'storageKey' | 'fileSizeBytes' | 'fileSha256' | 'reprintOf' | 'fetch' | 'content'
> &
  Partial<Pick<NewJob, 'effectiveOptions' | 'optionWarning' | 'originalCreatedAt'>>

/** Raw jobs ignore options. Who asks for a reprint does not know whether it is one. */
const OPTIONS_OF_RAW = { effectiveOptions: {}, optionWarning: null }

/**
 * Where the document of a new job is, or is to come from. A reprint names the stored document of its original, which is kept for the
 * youngest job that names it, or gets a copy of a small one.
 *
 * @throws ApiError `not_found` for an original of another organization or mode; `file_expired` when it has no stored document (any more).
 */
export async function documentOf(jobs: Jobs, creation: JobCreation, now: Date): Promise<Document> {
  const { contentType, document } = creation
  const none = { contentType, storageKey: null, fileSizeBytes: null, fileSha256: null, reprintOf: null }
  switch (document.case) {
    case 'stored': {
      const { storageKey, sizeBytes, sha256, content } = document.value
      const kept = storageKey === '' ? { content } : { storageKey }
      return { ...none, ...kept, fileSizeBytes: Number(sizeBytes), fileSha256: sha256 }
    }
    case 'fetch': {
      const { url, credentials } = document.value
      const source = credentials
        ? { url, credentials: { user: credentials.user, password: credentials.password } }
        : { url }
      return { ...none, fetch: jobs.vault.seal(creation.jobId, source) }
    }
    case 'reprintOf':
      return await documentOfOriginal(jobs, creation, document.value, now)
    default:
      throw new ApiError('invalid_request', 'A creation has no document.')
  }
}

async function documentOfOriginal(
  jobs: Jobs,
  { organizationId, mode }: JobCreation,
  reprintOf: string,
  now: Date,
): Promise<Document> {
  const original = await jobs.orm.em.fork().findOne(JobEntity, { id: reprintOf, organizationId, mode })
  if (!original) throw new ApiError('not_found', 'There is no print job with the id of `reprintOf`.')
  const { contentType, storageKey, fileSizeBytes, fileSha256, createdAt, hasInlineDocument } = original
  if (storageKey === null && !hasInlineDocument)
    throw new ApiError('file_expired', 'The job of `reprintOf` has no stored file. Create a job with its content.')
  if (now.getTime() - createdAt.getTime() >= jobs.fileRetentionMs) throw fileExpired()
  const options = contentType.startsWith('raw_') ? OPTIONS_OF_RAW : {}
  const facts = { contentType, fileSizeBytes, fileSha256, reprintOf, ...options }
  if (storageKey !== null) return { ...facts, storageKey, originalCreatedAt: createdAt }
  const content = await readInlineDocument(jobs, reprintOf)
  if (!content) throw fileExpired()
  return { ...facts, storageKey: null, content }
}

export const fileExpired = () =>
  new ApiError('file_expired', 'The file of `reprintOf` is not kept any more. Create a job with its content.')
