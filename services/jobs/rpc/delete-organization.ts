import type { DeleteOrganizationRequest } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { deleteFiles } from '../documents/delete-files.ts'
import type { Jobs } from '../jobs.ts'

/** The size of the batches of `timers/sweep-old-jobs.ts`. */
const BATCH = 200

const FIND = `SELECT id, storage_key AS "storageKey" FROM jobs.job WHERE organization_id = $1 LIMIT ${BATCH}`

/** Keys first, because a replay of a key would not find its job. */
const REMOVE_KEYS = `
WITH idempotency_key AS (
  DELETE FROM jobs.idempotency_key WHERE organization_id = $1
    AND (mode, key) IN (SELECT mode, key FROM jobs.idempotency_key WHERE organization_id = $1 LIMIT 1000) RETURNING 1
),
job_metadata AS (
  DELETE FROM jobs.job_metadata WHERE organization_id = $1 AND (mode, value, key, commit_seq, id) IN (
    SELECT mode, value, key, commit_seq, id FROM jobs.job_metadata WHERE organization_id = $1 LIMIT 1000) RETURNING 1
),
creation_count AS (DELETE FROM jobs.creation_count WHERE organization_id = $1 RETURNING 1),
job_number AS (DELETE FROM jobs.job_number WHERE organization_id = $1 RETURNING 1),
ipp_submission AS (DELETE FROM jobs.ipp_submission WHERE organization_id = $1 RETURNING 1)
SELECT (SELECT count(*)::int FROM idempotency_key) AS idempotency_key,
  (SELECT count(*)::int FROM job_metadata) AS job_metadata,
  (SELECT count(*)::int FROM creation_count) AS creation_count,
  (SELECT count(*)::int FROM job_number) AS job_number, (SELECT count(*)::int FROM ipp_submission) AS ipp_submission`

const REMOVE_JOBS = `
WITH batch AS MATERIALIZED (SELECT id FROM unnest($1::uuid[]) AS batch (id)),
job_event AS (DELETE FROM jobs.job_event USING batch WHERE job_id = batch.id RETURNING 1),
document AS (DELETE FROM jobs.document USING batch WHERE job_id = batch.id RETURNING 1),
document_fetch AS (DELETE FROM jobs.document_fetch USING batch WHERE job_id = batch.id RETURNING 1),
removal AS (DELETE FROM jobs.removal USING batch WHERE job_id = batch.id RETURNING 1),
job AS (DELETE FROM jobs.job USING batch WHERE job.id = batch.id RETURNING 1)
SELECT (SELECT count(*)::int FROM job) AS job, (SELECT count(*)::int FROM job_event) AS job_event,
  (SELECT count(*)::int FROM document) AS document, (SELECT count(*)::int FROM document_fetch) AS document_fetch,
  (SELECT count(*)::int FROM removal) AS removal`

/** Removes a batch of jobs with their documents, files first, so that an interrupted call leaves none. */
export async function deleteOrganization(
  { pool }: Jobs,
  files: Pick<FileStore, 'delete'>,
  { organizationId }: DeleteOrganizationRequest,
) {
  const keys = await pool.query<Record<string, number>>(REMOVE_KEYS, [organizationId])
  const { rows: found } = await pool.query<{ id: string; storageKey: string | null }>(FIND, [organizationId])
  // A reprint shares the file of its original.
  const stored = [...new Set(found.flatMap(({ storageKey }) => storageKey ?? []))]
  await deleteFiles(files, stored)
  const jobs = await pool.query<Record<string, number>>(REMOVE_JOBS, [found.map(({ id }) => id)])
  return { removed: { ...keys.rows[0], ...jobs.rows[0], file: stored.length } }
}
