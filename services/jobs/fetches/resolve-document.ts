import type { JobCreation, FetchSource as ProtoFetchSource } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { NewJob } from '../create-jobs.ts'
import { readInlineDocument } from '../documents/inline-documents.ts'
import { JobEntity } from '../entities.ts'
import { hasDocument, isFetching } from '../job-details.ts'
import type { Jobs } from '../jobs.ts'
import type { FetchSource } from './source-box.ts'

type Document = Pick<
  NewJob,
  'contentType' | 'storageKey' | 'fileSizeBytes' | 'fileSha256' | 'reprintOf' | 'fetch' | 'content'
> &
  Partial<Pick<NewJob, 'effectiveOptions' | 'optionWarning' | 'originalCreatedAt'>>

/** A fetch rarely takes longer. */
const FETCH_RETRY_AFTER_SECONDS = 5

/** Raw jobs ignore options. The gateway does not know the content type of a reprint. */
const RAW_OPTIONS = { effectiveOptions: {}, optionWarning: null }

/**
 * Resolves where the document of a new job is stored or fetched from. A reprint refers to the stored document of its
 * original, which is retained for the newest job that refers to it, or gets a copy of a small document.
 *
 * @throws ApiError `not_found` for an original of another organization or mode, `file_expired` if its document is not
 *   or no longer stored, `storage_unavailable` while it is being fetched.
 */
export async function resolveDocument(jobs: Jobs, creation: JobCreation, now: Date): Promise<Document> {
  const { contentType, document } = creation
  const none = { contentType, storageKey: null, fileSizeBytes: null, fileSha256: null, reprintOf: null }
  switch (document.case) {
    case 'stored': {
      const { storageKey, sizeBytes, sha256, content } = document.value
      const kept = storageKey === '' ? { content } : { storageKey }
      return { ...none, ...kept, fileSizeBytes: Number(sizeBytes), fileSha256: sha256 }
    }
    case 'fetch': {
      const { storageKey, sizeBytes } = document.value
      // An uploaded image is stored already, without the SHA-256 of a document.
      const upload = storageKey !== '' && { storageKey, fileSizeBytes: Number(sizeBytes) }
      return { ...none, ...upload, fetch: jobs.sourceBox.encrypt(creation.jobId, toFetchSource(document.value)) }
    }
    case 'reprintOf':
      return await resolveOriginal(jobs, creation, document.value, now)
    default:
      throw new ApiError('invalid_request', 'The creation has no document.')
  }
}

function toFetchSource({ url, credentials, storageKey, sheets }: ProtoFetchSource): FetchSource {
  const { papers = [], dpis = [] } = sheets ?? {}
  const forImage = sheets && { sheets: { papers: papers.map(({ width, height }) => ({ width, height })), dpis } }
  if (storageKey !== '') return { storageKey, ...forImage }
  const { user, password } = credentials ?? {}
  return { url, ...(user !== undefined && password !== undefined && { credentials: { user, password } }), ...forImage }
}

async function resolveOriginal(
  jobs: Jobs,
  { organizationId, mode }: JobCreation,
  reprintOf: string,
  now: Date,
): Promise<Document> {
  const original = await jobs.orm.em.fork().findOne(JobEntity, { id: reprintOf, organizationId, mode })
  if (!original)
    throw new ApiError('not_found', `There is no print job with the id of \`reprintOf\` in ${mode} mode.`, {
      param: 'reprintOf',
    })
  if (!original.retain)
    throw new ApiError(
      'file_expired',
      'The file of `reprintOf` is not stored for reprints, because the `retain` of that job is false. Create a job with `content`.',
      { param: 'reprintOf' },
    )
  const { contentType, storageKey, fileSizeBytes, fileSha256, createdAt } = original
  if (isFetching(original))
    throw new ApiError(
      'storage_unavailable',
      'The file of `reprintOf` is still being fetched or converted. Try again in a moment.',
      {
        retryAfterSeconds: FETCH_RETRY_AFTER_SECONDS,
        param: 'reprintOf',
      },
    )
  if (!hasDocument(original))
    throw new ApiError('file_expired', 'The job of `reprintOf` has no stored file. Create a job with `content`.', {
      param: 'reprintOf',
    })
  if (now.getTime() - createdAt.getTime() >= jobs.fileRetentionMs) throw fileExpired()
  const options = contentType.startsWith('raw_') ? RAW_OPTIONS : {}
  const facts = { contentType, fileSizeBytes, fileSha256, reprintOf, ...options }
  if (storageKey !== null) return { ...facts, storageKey, originalCreatedAt: createdAt }
  const content = await readInlineDocument(jobs, reprintOf)
  if (!content) throw fileExpired()
  return { ...facts, storageKey: null, content }
}

export const fileExpired = () =>
  new ApiError('file_expired', 'The file of `reprintOf` is no longer stored. Create a job with `content`.', {
    param: 'reprintOf',
  })
