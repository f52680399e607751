/** How a fetch ends. Each end takes the URL and the credentials away with it, and none can end what another attempt has in hand. */
import { type ChangeSource, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import type { Failure } from './failures.ts'
import type { FetchedDocument } from './fetch-document.ts'

export interface Attempt {
  jobId: string
  attempt: number
}

/** Of its own for each attempt, and known from it alone: whoever ends a fetch can delete what an attempt left. */
export const storageKeyOf = ({ jobId, attempt }: Attempt): string => `${jobId}-${attempt}`

const KEEP = `
WITH ended AS (DELETE FROM jobs.document_fetch WHERE job_id = $1 AND attempt = $2 RETURNING job_id)
UPDATE jobs.job SET fetching = false, storage_key = $3, file_size_bytes = $4, file_sha256 = $5
FROM ended WHERE job.id = ended.job_id AND job.state = 'queued'
RETURNING computer_id`

/** The job has its document and can go out; its computer is woken. @returns whether anybody still wants the document. */
export async function keepDocument(jobs: Jobs, attempt: Attempt, document: FetchedDocument): Promise<boolean> {
  const values = [attempt.jobId, attempt.attempt, storageKeyOf(attempt), document.sizeBytes, document.sha256]
  const { rows } = await jobs.pool.query<{ computer_id: string }>({ name: 'keep document', text: KEEP, values })
  jobs.announceWaiting(rows.map(({ computer_id }) => [computer_id]))
  return rows.length > 0
}

const failSource = (where: string, values: unknown[], { message, reason }: Failure): ChangeSource => ({
  name: `fail fetch ${where}`,
  sql: `SELECT document_fetch.job_id, 'fail' AS trigger, 'system' AS actor, $2::text AS message, $2::text AS state_message,
          ARRAY[$3::text] AS state_reasons, NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch, NULL AS traceparent
        FROM jobs.document_fetch WHERE ${where}`,
  values: [message, reason, ...values],
})

/** The job ends in `error`. A crash in between leaves a row that `sweepFetches` takes away. */
export async function failFetch(jobs: Jobs, { jobId, attempt }: Attempt, failure: Failure): Promise<void> {
  const source = failSource('job_id = $4::uuid AND attempt = $5::int', [jobId, attempt], failure)
  const changed = await changeStates(jobs.pool, source, jobs.clock.now())
  if (changed.length > 0) jobs.eventsAdded()
  await jobs.pool.query('DELETE FROM jobs.document_fetch WHERE job_id = $1 AND attempt = $2', [jobId, attempt])
}

/** Ends in `error` what was created at or before a time and is not fetched. */
export async function failOldFetches(jobs: Jobs, createdUntil: Date, failure: Failure): Promise<void> {
  const changed = await changeStates(
    jobs.pool,
    failSource('created_at <= $4', [createdUntil], failure),
    jobs.clock.now(),
  )
  if (changed.length > 0) jobs.eventsAdded()
}

/** It failed for reasons of our own: it is done anew, at a time or at once. */
export async function postponeFetch(jobs: Jobs, { jobId, attempt }: Attempt, until: Date | null): Promise<void> {
  const values = [jobId, attempt, until]
  await jobs.pool.query('UPDATE jobs.document_fetch SET leased_until = $3 WHERE job_id = $1 AND attempt = $2', values)
}
