/**
 * Deletes the documents of ended jobs with `retain` false. Reference:
 * docs/reference/print-jobs.md#documents-that-are-not-kept.
 *
 * Files first, so that an interrupted sweep is repeated. The file of a reprint belongs to its original, which is kept:
 * a job with `retain` false has no reprints. Every state change can end a job, so the sweep finds ended jobs by their
 * index instead of a call of each.
 */
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { deleteFiles } from '../documents/delete-files.ts'
import type { Jobs } from '../jobs.ts'

const BATCH = 100

const FIND = `
SELECT id, CASE WHEN reprint_of IS NULL THEN storage_key END AS "storageKey" FROM jobs.job
WHERE NOT retain AND final_state IS NOT NULL AND (storage_key IS NOT NULL OR has_inline_document) ORDER BY id
LIMIT ${BATCH}`

/** Locks the jobs in the order of their ids, like every statement on several jobs. */
const DISCARD = `
WITH ended AS MATERIALIZED (SELECT id FROM jobs.job WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE),
document AS (DELETE FROM jobs.document USING ended WHERE job_id = ended.id)
UPDATE jobs.job SET storage_key = NULL, has_inline_document = false FROM ended WHERE job.id = ended.id`

export async function sweepDiscarded(
  { pool, recentDocuments }: Pick<Jobs, 'pool' | 'recentDocuments'>,
  files: Pick<FileStore, 'delete'>,
  stopping: AbortSignal,
): Promise<void> {
  let found: { id: string; storageKey: string | null }[]
  do {
    found = (await pool.query<(typeof found)[number]>({ name: 'discarded documents', text: FIND })).rows
    const keys = found.flatMap(({ storageKey }) => storageKey ?? [])
    await deleteFiles(files, keys)
    for (const { id } of found) recentDocuments.take(id)
    if (found.length > 0)
      await pool.query({ name: 'discard documents', text: DISCARD, values: [found.map(({ id }) => id)] })
  } while (found.length === BATCH && !stopping.aborted)
}
