/**
 * Deletes unneeded documents: 7 days after the creation of the newest job that refers to them, and not while one of these jobs may still be
 * printed. Reference: docs/files.md#retention.
 *
 * The store itself says what there is to delete, and a document's key says when it was made and for which job. So nothing is written down
 * for a document, a document whose job was never made is deleted like all others, and a sweep that dies is simply begun anew.
 *
 * First it is marked how far documents may be gone. A reprint is made only behind that mark (`create-jobs.ts`): one that is under way
 * is waited for and then seen, and none comes later, however slow its maker is. Looks up each old document by the primary key and by
 * `job_sharing`.
 */

import { jobIdOf } from '@platen/runtime/file-store/document-key.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { Jobs } from '../jobs.ts'

const BATCH = 500
/** At a time. */
const DELETIONS_MAX = 16
/** However short the retention is: an upload, with the creation of its job, takes three minutes at most. */
const SETTLED_AFTER_MS = 10 * 60_000

const MARK = 'UPDATE jobs.document_sweep SET swept_until = GREATEST(swept_until, $1)'

const NEEDED = `(job.created_at > $3 OR job.final_state IS NULL)`

const NOT_NEEDED = `
SELECT old.key FROM unnest($1::text[], $2::uuid[]) AS old (key, job_id)
WHERE NOT EXISTS (
    SELECT FROM jobs.job WHERE id = old.job_id AND (storage_key = old.key OR fetching) AND ${NEEDED})
  AND NOT EXISTS (SELECT FROM jobs.job WHERE reprint_of IS NOT NULL AND storage_key = old.key AND ${NEEDED})`

/** @param stopping ends it between two batches. */
export async function sweepDocuments(jobs: Jobs, files: FileStore, stopping: AbortSignal): Promise<void> {
  const now = jobs.clock.now().getTime()
  const createdUntil = new Date(now - jobs.fileRetentionMs)
  const begunUntil = new Date(now - Math.max(jobs.fileRetentionMs, SETTLED_AFTER_MS))
  await jobs.pool.query(MARK, [createdUntil])
  let batch: string[] = []
  for await (const key of files.listOld(begunUntil)) {
    if (batch.push(key) < BATCH) continue
    await deleteUnneeded(jobs, files, batch, createdUntil)
    if (stopping.aborted) return
    batch = []
  }
  await deleteUnneeded(jobs, files, batch, createdUntil)
}

async function deleteUnneeded({ pool }: Jobs, files: FileStore, old: string[], createdUntil: Date): Promise<void> {
  if (old.length === 0) return
  const { rows } = await pool.query<{ key: string }>({
    name: 'documents not needed',
    text: NOT_NEEDED,
    values: [old, old.map(jobIdOf), createdUntil],
  })
  for (let n = 0; n < rows.length; n += DELETIONS_MAX)
    await Promise.all(rows.slice(n, n + DELETIONS_MAX).map(({ key }) => files.delete(key)))
}
