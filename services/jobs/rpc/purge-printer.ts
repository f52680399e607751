import type { PurgePrinterRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { CANCELLABLE_STATES, type JobState } from '@platen/resources/job-states.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { changeEach } from '../change-in-batches.ts'
import { UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE, toSqlList } from '../states.ts'

const MESSAGE = "The printer's jobs were purged."
const AFTER_RECEIVED = `${MESSAGE} The job may have been printed.`

/** The jobs of the printer in these states, by the index `job_active`. */
const FIND = `
SELECT id FROM jobs.job
WHERE computer_id = $1 AND ${IS_ACTIVE} AND printer_id = $2 AND organization_id = $3 AND mode = $4
  AND state = ANY ($5) ORDER BY id`

/** SQL: those of the jobs that are in these states. Locked, so that their states stay the same. */
const inStates = (states: readonly JobState[]) =>
  `FROM jobs.job WHERE id = ANY ($2::uuid[]) AND state IN (${toSqlList(states)}) ORDER BY id FOR UPDATE`

const toChanges = (trigger: 'cancel' | 'purge') => `
job_id, '${trigger}' AS trigger, $3 AS actor, $4 AS message, $4 AS state_message, ARRAY['purged'] AS state_reasons,
  ${UNFENCED}, $5 AS traceparent`

const cancel = (states: readonly JobState[]) =>
  `SELECT ${toChanges('cancel')} FROM (SELECT id AS job_id ${inStates(states)}) AS waiting`

/** The statement that ends the jobs also inserts their removals. `$1` is the time of the change. */
const purge = (states: readonly JobState[]) => `
INSERT INTO jobs.removal (job_id, computer_id, created_at) SELECT id, computer_id, $1::timestamptz ${inStates(states)}
ON CONFLICT (job_id) DO UPDATE SET created_at = excluded.created_at
RETURNING ${toChanges('purge')}`

/**
 * Ends the unfinished jobs of a printer: `queued` and `sent` jobs become `cancelled`; `received` jobs, and `printing`
 * jobs if requested, become `error`, and their agent must remove them. Cancels first, so that a job that is
 * acknowledged meanwhile is found as `received`.
 */
export async function purgePrinter(jobs: Jobs, request: PurgePrinterRequest) {
  const { organizationId, mode, printerId, computerId, includePrinting, actor, cancelledBy } = request
  const traceparent = currentTraceparent()
  const end = async (states: readonly JobState[], toSql: (states: readonly JobState[]) => string, message: string) => {
    const values = [computerId, printerId, organizationId, mode, states]
    const { rows } = await jobs.pool.query<{ id: string }>(FIND, values)
    const ids = rows.map(({ id }) => id)
    const sql = toSql(states)
    const ended = await changeEach(jobs, ids, (batch) => ({
      sql,
      values: [batch, actor, message, traceparent, cancelledBy],
      cancelledBy: '$6',
    }))
    return ended.length
  }
  const cancelled = await end(CANCELLABLE_STATES, cancel, MESSAGE)
  const ended = await end(includePrinting ? ['received', 'printing'] : ['received'], purge, AFTER_RECEIVED)
  // For the removals, and because sent jobs used slots of the stream's window.
  if (cancelled + ended > 0) jobs.announceWaiting([[computerId]])
  return { cancelled, ended }
}
