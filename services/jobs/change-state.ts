/**
 * The only code that writes `job.state`. Applies `TRANSITIONS` to any number of jobs in one statement, which also
 * inserts the job event and the event log entry of each change, and deletes the pending fetch of a job that ends.
 *
 * Locks the jobs in the order of their ids, so concurrent batches cannot deadlock. Concurrent triggers for one job are
 * serialized by the row lock, because READ COMMITTED checks a row again after waiting for it. The second trigger sees
 * the result of the first one and changes nothing if it has no transition from there. Scans the primary key. Costs
 * about 35 µs of PostgreSQL per job in batches of 100.
 */

import { FINAL_STATES, type JobState } from '@platen/resources/job-states.ts'
import { nextCommitSeq } from '@platen/runtime/event-log/table.ts'
import type { Pool } from 'pg'
import { type ChangeFacts, countChanges, FACT_COLUMNS } from './count-changes.ts'
import { eventBody } from './event-body.ts'
import { type Actor, TRANSITIONS, type Trigger, toSqlList } from './states.ts'

/** One statement must not name a job twice, because only one of the changes would be applied. */
export interface RequestedChange {
  jobId: string
  trigger: Trigger
  actor: Actor
  /** The message of the event. */
  message?: string
  /** New values of the job, unchanged if missing. An empty message removes the message. */
  stateMessage?: string
  stateReasons?: string[]
  /** Who says that the paper is there, of a job that is done. */
  confirmedBy?: string
  /** Guard: the job belongs to this computer. */
  computerId?: string
  /** Guard: the job was last sent by this attempt. */
  attempt?: number
  /** Guard: this is the computer's newest stream. */
  epoch?: bigint
}

/** The job after its change. */
export interface ChangedJob {
  id: string
  state: JobState
  attempt: number
  computer_id: string
  /** The job was sent to it. */
  destination_id: string | null
  /** The job waits for a printer of it. */
  waiting_destination_id: string | null
}

/** A SELECT of requested changes with the columns of `REQUESTED_COLUMNS`. Its parameters begin at `$2`. */
export interface ChangeSource {
  /** Name of the prepared statement. Without a name, the statement is planned for each call. */
  name?: string
  sql: string
  values: unknown[]
  /** The SELECT has no effect of its own, so that it can be tried before. */
  isRead?: boolean
  /** Further CTEs, about the rows of `changed`. Each begins with a comma. */
  also?: string
  /** The parameter with the new `cancelled_by` of all jobs. */
  cancelledBy?: `$${number}`
  /** Columns of the changed jobs in addition to those of `ChangedJob`. */
  returning?: string[]
}

const REQUESTED_COLUMNS = `job_id uuid, trigger text, actor text, message text, state_message text, state_reasons text[],
  computer_id uuid, attempt int, epoch bigint, traceparent text, confirmed_by text`

/** A source that changes jobs of any computer, attempt and epoch, and confirms no paper. */
export const UNFENCED =
  'NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch, NULL::text AS confirmed_by'

/**
 * One row for each trigger, because PostgreSQL checks a row that it has waited for with the row that it had joined
 * before.
 */
const TRANSITION_ROWS = Object.entries(TRANSITIONS)
  .map(([trigger, { from, to }]) => `('${trigger}', '{${from.join()}}'::text[], '${to}')`)
  .join(', ')

const FINAL = toSqlList(FINAL_STATES)

/**
 * Time of a change: the time of the caller, but not earlier than the previous change of the job, because the statement
 * of a slow replica can run after a statement with a later time. The time of a requeue is `pushed_at`. Has the same
 * value before and after the change.
 */
const AT = 'GREATEST($1, job.created_at, job.pushed_at, job.received_at, job.printing_at)'

/** Built once, because it is a third of the statement. */
const EVENT_BODY = eventBody({ job: 'changed', eventId: 'event_id', occurredAt: 'changed_at' })

const changeSql = ({ sql: source, also = '', cancelledBy }: ChangeSource, returning: string) => `
WITH transition (trigger, from_states, to_state) AS (VALUES ${TRANSITION_ROWS}),
requested AS MATERIALIZED (${source}),
locked AS MATERIALIZED (
  SELECT requested.* FROM requested JOIN jobs.job ON job.id = requested.job_id ORDER BY job.id FOR UPDATE OF job
),
changed AS (
  UPDATE jobs.job SET
    state = transition.to_state,${cancelledBy ? ` cancelled_by = NULLIF(${cancelledBy}, ''),` : ''}
    version = job.version + 1,
    event_commit_seq = ${nextCommitSeq('jobs', 'job')},
    state_message = NULLIF(COALESCE(requested.state_message, job.state_message), ''),
    state_reasons = COALESCE(requested.state_reasons, job.state_reasons),
    attempt = job.attempt + CASE WHEN transition.to_state = 'sent' THEN 1 ELSE 0 END,
    resend_count = CASE WHEN requested.trigger = 'resend' THEN job.resend_count + 1
                        WHEN transition.to_state IN ('queued', 'sent') THEN 0 ELSE job.resend_count END,
    push_due = requested.trigger = 'resend',
    pushed_at = CASE WHEN transition.to_state IN ('queued', 'sent') THEN ${AT} ELSE job.pushed_at END,
    sent_at = CASE transition.to_state WHEN 'queued' THEN NULL WHEN 'sent' THEN COALESCE(job.sent_at, ${AT})
      ELSE job.sent_at END,
    received_at = CASE transition.to_state WHEN 'received' THEN ${AT} ELSE job.received_at END,
    printing_at = CASE transition.to_state WHEN 'printing' THEN ${AT} ELSE job.printing_at END,
    finished_at = CASE WHEN transition.to_state IN (${FINAL}) THEN ${AT} ELSE job.finished_at END,
    final_state = CASE WHEN transition.to_state IN (${FINAL}) THEN transition.to_state END,
    confirmed_by = CASE WHEN transition.to_state = 'done' THEN requested.confirmed_by END,
    waiting_destination_id = CASE
      WHEN transition.to_state = 'queued' AND job.batch_id IS NULL THEN job.destination_id END,
    fetching = job.fetching AND transition.to_state NOT IN (${FINAL})
  FROM locked AS requested JOIN transition USING (trigger)
  WHERE job.id = requested.job_id AND job.state = ANY(transition.from_states)
    AND (requested.computer_id IS NULL OR requested.computer_id = job.computer_id)
    AND (requested.attempt IS NULL OR requested.attempt = job.attempt)
    AND (requested.epoch IS NULL OR EXISTS (
      SELECT FROM jobs.computer_fence AS fence
      WHERE fence.computer_id = job.computer_id AND fence.epoch = requested.epoch))
  RETURNING job.*, old.fetching AS was_fetching, ${AT} AS changed_at, uuidv7() AS event_id, requested.trigger,
    requested.actor, requested.message,
    COALESCE(old.pushed_at, job.created_at) AS queued_at,
    COALESCE(NULLIF(requested.traceparent, ''), job.traceparent) AS event_traceparent
),
ended_fetch AS (
  DELETE FROM jobs.document_fetch USING changed
  WHERE changed.was_fetching AND NOT changed.fetching AND document_fetch.job_id = changed.id
),
event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, message, actor, created_at)
  SELECT event_id, id, version, state, message, actor, changed_at FROM changed
),
logged AS (
  INSERT INTO jobs.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent, created_by)
  SELECT event_id, event_commit_seq, organization_id, mode, 'printjob.' || state, changed_at,
    ${EVENT_BODY}, event_traceparent,
    CASE WHEN final_state IS NOT NULL THEN created_by END
  -- A resend is a job event but not a state change.
  FROM changed WHERE trigger <> 'resend'
)${also}
SELECT ${returning} FROM changed ORDER BY accepted_order`

export const requestedChanges = (changes: RequestedChange[]): ChangeSource => ({
  name: 'requested',
  sql: `SELECT * FROM jsonb_to_recordset($2) AS requested (${REQUESTED_COLUMNS})`,
  values: [
    JSON.stringify(
      changes.map((change) => ({
        job_id: change.jobId,
        trigger: change.trigger,
        actor: change.actor,
        message: change.message,
        state_message: change.stateMessage,
        state_reasons: change.stateReasons,
        computer_id: change.computerId,
        attempt: change.attempt,
        epoch: change.epoch?.toString(),
        confirmed_by: change.confirmedBy,
      })),
    ),
  ],
  returning: ['traceparent', 'sent_at'],
})

/**
 * Changes of the system that keep the job's message and reasons.
 *
 * @param select returns `job_id`, `trigger` and `message`.
 */
export const systemChange = (name: string, select: string, values: unknown[]): ChangeSource => ({
  name,
  isRead: true,
  sql: `SELECT job_id, trigger, 'system' AS actor, message, NULL AS state_message, NULL::text[] AS state_reasons,
          ${UNFENCED}, NULL AS traceparent
        FROM (${select}) AS due`,
  values,
})

const CHANGED_COLUMNS = ['id', 'state', 'attempt', 'computer_id', 'destination_id', 'waiting_destination_id']

/**
 * @param at time of the changes and their events, or the time of the job's previous change if that is later.
 * @returns the changed jobs in the order of acceptance. A job is missing from the result if its state has no such
 *   transition, or its computer, attempt or epoch differs.
 */
export async function changeStates<Row extends ChangedJob>(
  pool: Pick<Pool, 'query'>,
  source: ChangeSource,
  at: Date,
): Promise<Row[]> {
  const returning = [...CHANGED_COLUMNS, ...FACT_COLUMNS, ...(source.returning ?? [])]
  const { rows } = await pool.query<Row & ChangeFacts>({
    ...(source.name ? { name: `change ${source.name}` } : {}),
    text: changeSql(source, returning.join(', ')),
    values: [at, ...source.values],
  })
  countChanges(rows)
  return rows
}
