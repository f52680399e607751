import type { PurgePrinterRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import type { JobState } from '../states.ts'

const MESSAGE = "The printer's jobs were purged."
const AFTER_RECEIVED = `${MESSAGE} The job may have been printed.`

/** SQL: jobs of the printer in these states, by the index `job_active`. Locked, so that their states stay the same. */
const inStates = (...states: JobState[]) => `
FROM jobs.job WHERE computer_id = $5 AND final_state IS NULL AND printer_id = $2 AND organization_id = $3 AND mode = $4
  AND state IN (${states.map((state) => `'${state}'`).join(', ')}) ORDER BY id LIMIT ${BATCH} FOR UPDATE`

const toChanges = (trigger: 'cancel' | 'purge') => `
job_id, '${trigger}' AS trigger, $6 AS actor, $7 AS message, $7 AS state_message, ARRAY['purged'] AS state_reasons,
  ${UNFENCED}, $8 AS traceparent`

const CANCEL = `SELECT ${toChanges('cancel')} FROM (SELECT id AS job_id ${inStates('queued', 'sent')}) AS waiting`

/** The statement that ends the jobs also inserts their removals. `$1` is the time of the change. */
const purge = (...states: JobState[]) => `
INSERT INTO jobs.removal (job_id, computer_id, created_at) SELECT id, computer_id, $1::timestamptz ${inStates(...states)}
ON CONFLICT (job_id) DO UPDATE SET created_at = excluded.created_at
RETURNING ${toChanges('purge')}`

/**
 * Ends the unfinished jobs of a printer: `queued` and `sent` jobs become `cancelled`; `received` jobs, and `printing` jobs if requested,
 * become `error`, and their agent must remove them. Cancels first, so that a job that is acknowledged meanwhile is found as `received`.
 */
export async function purgePrinter(jobs: Jobs, request: PurgePrinterRequest) {
  const { organizationId, mode, printerId, computerId, includePrinting, actor, cancelledBy } = request
  const change = (sql: string, message: string) =>
    changeInBatches(jobs, {
      sql,
      values: [printerId, organizationId, mode, computerId, actor, message, currentTraceparent(), cancelledBy],
      cancelledBy: '$9',
    })
  const cancelled = await change(CANCEL, MESSAGE)
  const ended = await change(includePrinting ? purge('received', 'printing') : purge('received'), AFTER_RECEIVED)
  // For the removals, and because sent jobs used slots of the stream's window.
  if (cancelled.length + ended.length > 0) jobs.announceWaiting([[computerId]])
  return { cancelled: cancelled.length, ended: ended.length }
}
