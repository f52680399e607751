/**
 * The only code that writes `job.state`: moves any number of jobs along the edges of `RULES`, in one statement, with the job
 * event and the entry of the event log for each change in the same transaction.
 *
 * Locks the jobs in the order of their ids, so two batches wait for each other and never deadlock. Of two triggers for one job
 * the second sees the first one's result and is measured against it (READ COMMITTED checks a row again after waiting for it);
 * where it has no edge from there nothing is changed or recorded. Walks the primary key; about 35 µs of PostgreSQL a job in
 * batches of 100 (DESIGN, "Speed").
 */
import { nextPlace } from '@platen/runtime/event-log/table.ts'
import type { Pool } from 'pg'
import { eventBody } from './event-body.ts'
import { type Actor, FINAL_STATES, type JobState, RULES, type Trigger } from './states.ts'

/** A change that somebody asks for. One statement must not name a job twice: the second would be lost. */
export interface AskedChange {
  jobId: string
  trigger: Trigger
  actor: Actor
  /** For the event. */
  message?: string
  /** For the job: what `stateMessage` and `stateReasons` say from now on; left as they are when missing. An empty message is none. */
  stateMessage?: string
  stateReasons?: string[]
  /** Only a job of this computer. */
  computerId?: string
  /** Only this sending of the job. */
  attempt?: number
  /** Only while this is the computer's newest stream. */
  epoch?: bigint
  traceparent?: string
}

/** A change that happened; the job as it is now. */
export interface ChangedJob {
  id: string
  state: JobState
  attempt: number
  computer_id: string
}

/** Which jobs a change is asked for: a SELECT with the columns of `ASKED_COLUMNS`. Its parameters begin at `$2`. */
export interface ChangeSource {
  /** Of a statement that is prepared once for each connection; without one it is planned anew each time. */
  name?: string
  sql: string
  values: unknown[]
  /** Columns of the changed jobs that are wanted beside those of `ChangedJob`. */
  returning?: string[]
}

const ASKED_COLUMNS = `job_id uuid, trigger text, actor text, message text, state_message text, state_reasons text[],
  computer_id uuid, attempt int, epoch bigint, traceparent text`

const RULE_ROWS = Object.entries(RULES)
  .flatMap(([trigger, { from, to }]) => from.map((state) => `('${trigger}', '${state}', '${to}')`))
  .join(', ')

const FINAL = FINAL_STATES.map((state) => `'${state}'`).join(', ')

/**
 * When a change happens: at the time that its caller took, and not before what happened to the job last. A statement of a slow replica
 * may come behind that of another one which took its time later. A job that is given back leaves its time in `pushed_at`. Says the
 * same of a job before its change and after it.
 */
const AT = 'GREATEST($1, job.created_at, job.pushed_at, job.received_at, job.printing_at)'

const changeSql = (source: string, returning: string) => `
WITH rule (trigger, from_state, to_state) AS (VALUES ${RULE_ROWS}),
asked AS MATERIALIZED (${source}),
locked AS MATERIALIZED (
  SELECT asked.* FROM asked JOIN jobs.job ON job.id = asked.job_id ORDER BY job.id FOR UPDATE OF job
),
changed AS (
  UPDATE jobs.job SET
    state = rule.to_state,
    version = job.version + 1,
    event_place = ${nextPlace('jobs', 'job')},
    state_message = NULLIF(COALESCE(asked.state_message, job.state_message), ''),
    state_reasons = COALESCE(asked.state_reasons, job.state_reasons),
    attempt = job.attempt + CASE WHEN rule.to_state = 'sent' THEN 1 ELSE 0 END,
    resend_count = CASE WHEN asked.trigger = 'resend' THEN job.resend_count + 1
                        WHEN rule.to_state IN ('queued', 'sent') THEN 0 ELSE job.resend_count END,
    push_due = asked.trigger = 'resend',
    pushed_at = CASE WHEN rule.to_state IN ('queued', 'sent') THEN ${AT} ELSE job.pushed_at END,
    sent_at = CASE rule.to_state WHEN 'queued' THEN NULL WHEN 'sent' THEN COALESCE(job.sent_at, ${AT}) ELSE job.sent_at END,
    received_at = CASE rule.to_state WHEN 'received' THEN ${AT} ELSE job.received_at END,
    printing_at = CASE rule.to_state WHEN 'printing' THEN ${AT} ELSE job.printing_at END,
    finished_at = CASE WHEN rule.to_state IN (${FINAL}) THEN ${AT} ELSE job.finished_at END,
    final_state = CASE WHEN rule.to_state IN (${FINAL}) THEN rule.to_state END,
    fetching = job.fetching AND rule.to_state NOT IN (${FINAL})
  FROM locked AS asked JOIN rule USING (trigger)
  WHERE job.id = asked.job_id AND job.state = rule.from_state
    AND (asked.computer_id IS NULL OR asked.computer_id = job.computer_id)
    AND (asked.attempt IS NULL OR asked.attempt = job.attempt)
    AND (asked.epoch IS NULL OR EXISTS (
      SELECT FROM jobs.computer_fence AS fence WHERE fence.computer_id = job.computer_id AND fence.epoch = asked.epoch))
  RETURNING job.*, ${AT} AS changed_at, uuidv7() AS event_id, asked.trigger, asked.actor, asked.message,
    COALESCE(NULLIF(asked.traceparent, ''), job.traceparent) AS event_traceparent
),
event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, message, actor, created_at)
  SELECT event_id, id, version, state, message, actor, changed_at FROM changed
),
logged AS (
  INSERT INTO jobs.event_log (id, list_place, organization_id, mode, type, occurred_at, body, traceparent)
  SELECT event_id, event_place, organization_id, mode, 'printjob.' || state, changed_at,
    ${eventBody({ job: 'changed', eventId: 'event_id', occurredAt: 'changed_at' })}, event_traceparent
  -- A resend is an event of the job, but changes no state.
  FROM changed WHERE trigger <> 'resend'
)
SELECT ${returning} FROM changed ORDER BY accepted_order`

/** Asks for changes one by one. */
export const askedChanges = (changes: AskedChange[]): ChangeSource => ({
  name: 'asked',
  sql: `SELECT * FROM jsonb_to_recordset($2) AS asked (${ASKED_COLUMNS})`,
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
        traceparent: change.traceparent,
      })),
    ),
  ],
})

/**
 * Asks for one trigger by the system on all jobs that `select` finds.
 *
 * @param select gives `job_id`, and `message` where the events should have one.
 */
export const systemChange = (name: string, trigger: Trigger, select: string, values: unknown[]): ChangeSource => ({
  name,
  sql: `SELECT job_id, '${trigger}' AS trigger, 'system' AS actor, message, NULL AS state_message, NULL::text[] AS state_reasons,
          NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch, NULL AS traceparent
        FROM (${select}) AS due`,
  values,
})

/**
 * @param at the time that the changed jobs and their events bear; a job whose last change is later takes that one's time.
 * @returns the jobs that changed, in the order in which they were accepted. Which is not among them had no edge, or belongs to
 *   another computer, sending or stream than was asked for.
 */
export async function changeStates<Row extends ChangedJob>(
  pool: Pick<Pool, 'query'>,
  source: ChangeSource,
  at: Date,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    ...(source.name ? { name: `change ${source.name}` } : {}),
    text: changeSql(source.sql, ['id', 'state', 'attempt', 'computer_id', ...(source.returning ?? [])].join(', ')),
    values: [at, ...source.values],
  })
  return rows
}
