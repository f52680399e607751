/**
 * Deletes unneeded documents: 7 days after the creation of the newest job that refers to them, and not while an agent
 * still needs them for one of these jobs. Reference: docs/reference/print-jobs.md#stored-files-and-reprints.
 *
 * Lists the documents in the file store. The key of a document contains its time and its job, so documents need no
 * rows, the document of a job that was not created is deleted too, and an interrupted sweep is repeated from the start.
 *
 * First raises the deletion mark. `create-jobs.ts` creates reprints only of documents after the mark, and locks it. So
 * the sweep waits for a concurrent reprint and sees it, and later reprints are refused. Looks up each old document by
 * the primary key and by `job_sharing`.
 */

import { parseJobId } from '@platen/runtime/file-store/document-key.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { deleteFiles } from '../documents/delete-files.ts'
import type { Jobs } from '../jobs.ts'
import { NEEDS_DOCUMENT } from '../states.ts'

const BATCH = 500
/** Lower bound of the retention, because an upload and the creation of its job take up to three minutes. */
const RETENTION_MIN_MS = 10 * 60_000

const MARK = 'UPDATE jobs.document_sweep SET swept_until = GREATEST(swept_until, $1)'

const NEEDED = `(job.created_at > $3 OR ${NEEDS_DOCUMENT})`

const UNNEEDED = `
SELECT old.key FROM unnest($1::text[], $2::uuid[]) AS old (key, job_id)
WHERE NOT EXISTS (
    SELECT FROM jobs.job WHERE id = old.job_id AND (storage_key = old.key OR fetching) AND ${NEEDED})
  AND NOT EXISTS (SELECT FROM jobs.job WHERE reprint_of IS NOT NULL AND storage_key = old.key AND ${NEEDED})`

/** @param stopping ends the sweep after a batch. */
export async function sweepDocuments(jobs: Jobs, files: FileStore, stopping: AbortSignal): Promise<void> {
  const now = jobs.clock.now().getTime()
  const createdUntil = new Date(now - jobs.fileRetentionMs)
  const begunUntil = new Date(now - Math.max(jobs.fileRetentionMs, RETENTION_MIN_MS))
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
    name: 'unneeded documents',
    text: UNNEEDED,
    values: [old, old.map(parseJobId), createdUntil],
  })
  await deleteFiles(
    files,
    rows.map(({ key }) => key),
  )
}
