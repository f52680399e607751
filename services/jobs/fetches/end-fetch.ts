/**
 * The outcomes of a fetch. Each one deletes the URL and the credentials, and is fenced by the attempt. The statement
 * that ends a job also deletes its fetch.
 */
import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { type ChangeSource, UNFENCED } from '../change-state.ts'
import { DocumentFetchEntity, JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { toWaiting, type WaitingRow } from '../to-waiting.ts'
import type { Failure } from './failures.ts'
import type { FetchedDocument } from './fetch-document.ts'

export interface Attempt {
  jobId: string
  attempt: number
}

/** Unique for each attempt and derived from it, so that the file of an interrupted attempt can be deleted. */
export const getStorageKey = ({ jobId, attempt }: Attempt): string => `${jobId}-${attempt}`

/** Locks the job before its fetch, like `changeStates`, so that both cannot deadlock. */
const KEEP = `
WITH locked AS MATERIALIZED (SELECT id FROM jobs.job WHERE id = $1 AND state = 'queued' FOR UPDATE),
ended AS (
  DELETE FROM jobs.document_fetch USING locked WHERE job_id = locked.id AND document_fetch.attempt = $2 RETURNING job_id
)
UPDATE jobs.job SET fetching = false, storage_key = $3, file_size_bytes = $4, file_sha256 = $5
FROM ended WHERE job.id = ended.job_id
RETURNING computer_id, waiting_destination_id`

/**
 * Stores the document in the job and announces the job.
 *
 * @returns false if the job has ended or another attempt has the lease.
 */
export async function keepDocument(jobs: Jobs, attempt: Attempt, document: FetchedDocument): Promise<boolean> {
  const values = [attempt.jobId, attempt.attempt, getStorageKey(attempt), document.sizeBytes, document.sha256]
  const { rows } = await jobs.pool.query<WaitingRow>({ name: 'keep document', text: KEEP, values })
  jobs.announceWaiting(rows.map((row) => toWaiting(row)))
  return rows.length > 0
}

const failSource = (where: string, values: unknown[], { message, reason }: Failure): ChangeSource => ({
  name: `fail fetch ${where}`,
  sql: `SELECT document_fetch.job_id, 'fail' AS trigger, 'system' AS actor, $2::text AS message,
          $2::text AS state_message,
          ARRAY[$3::text] AS state_reasons, ${UNFENCED}, NULL AS traceparent
        FROM jobs.document_fetch WHERE ${where} LIMIT ${BATCH}`,
  values: [message, reason, ...values],
})

/** Ends the job in `error`. */
export async function failFetch(jobs: Jobs, { jobId, attempt }: Attempt, failure: Failure): Promise<void> {
  await changeInBatches(jobs, failSource('job_id = $4::uuid AND attempt = $5::int', [jobId, attempt], failure))
}

/**
 * Ends jobs in `error` that were created until a time and are not fetched. Deletes what release 0.1.0 has left of ended
 * jobs.
 */
export async function failOldFetches(jobs: Jobs, createdUntil: Date, failure: Failure): Promise<void> {
  await changeInBatches(jobs, failSource('created_at <= $4', [createdUntil], failure))
  await jobs.orm.em.fork().nativeDelete(DocumentFetchEntity, { createdAt: { $lte: createdUntil } })
}

/** The document of an uploaded image that was not converted, and is deleted. */
export async function removeUpload(jobs: Jobs, { jobId }: Attempt): Promise<void> {
  const where = { id: jobId, fileSha256: null }
  await jobs.orm.em.fork().nativeUpdate(JobEntity, where, { storageKey: null, fileSizeBytes: null })
}

/**
 * Ends the lease at a time, or immediately if null, so that the fetch is repeated after a failure of the service
 * itself.
 */
export async function postponeFetch(jobs: Jobs, { jobId, attempt }: Attempt, until: Date | null): Promise<void> {
  await jobs.orm.em.fork().nativeUpdate(DocumentFetchEntity, { jobId, attempt }, { leasedUntil: until })
}
