import { ENDPOINT_ALERT_KINDS } from '@platen/resources/alert-kinds.ts'
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import { alertsEvaluated } from '@platen/runtime/telemetry/metrics.ts'
import type { PoolClient } from 'pg'
import { evaluate } from '../alerts/evaluate.ts'
import { ALERTS_LOCK, INCIDENT_COLUMNS, type Incident, type Rule } from '../alerts/incident.ts'
import { addDefaultRules, deleteMembers, toMemberKey } from '../alerts/members.ts'
import { type Position, readEndedJobs } from '../alerts/read-ended-jobs.ts'
import { type Found, readProblems } from '../alerts/read-problems.ts'

const READ_NUMBER = 'SELECT number FROM webhooks.alert_position'

/** Has a row only if no other replica has evaluated since. */
const MOVE = `
UPDATE webhooks.alert_position SET number = number + 1 WHERE number = $1
RETURNING commit_seq AS "commitSeq", event_id AS "eventId"`

const SET_POSITION = 'UPDATE webhooks.alert_position SET commit_seq = $1, event_id = $2'

const DELETE_RULES =
  'DELETE FROM webhooks.alert_rule WHERE computer_id = ANY($1::uuid[]) OR printer_id = ANY($1::uuid[])'

const READ_RULES = `
SELECT id, organization_id AS "organizationId", mode, user_id AS "userId", kind, computer_id AS "computerId",
  printer_id AS "printerId", after_minutes AS "afterMinutes", problems_since AS "problemsSince"
FROM webhooks.alert_rule WHERE organization_id = ANY($1::uuid[])`

const READ_INCIDENTS = `SELECT ${INCIDENT_COLUMNS} FROM webhooks.incident WHERE organization_id = ANY($1::uuid[])`

const STORE = `
INSERT INTO webhooks.incident SELECT * FROM jsonb_populate_recordset(NULL::webhooks.incident, $1)
ON CONFLICT (id) DO UPDATE SET (job_id, facts, since, due_at, notified_at, solved_at) =
  (excluded.job_id, excluded.facts, excluded.since, excluded.due_at, excluded.notified_at, excluded.solved_at)`

const DISCARD = 'DELETE FROM webhooks.incident WHERE id = ANY($1::uuid[])'

type Context = Parameters<typeof readProblems>[0]

/**
 * Finds problems that begin and end, and adds the default rules of owners. Deletes what belonged to former members and
 * deleted devices. Changes nothing if another service does not answer, so that its failure ends no problem.
 */
export async function findIncidents(webhooks: Context): Promise<void> {
  const { pool, clock } = webhooks
  const number = (await pool.query<{ number: string }>(READ_NUMBER)).rows[0]?.number
  const found = await readProblems(webhooks)
  await withAdvisoryLock(pool, ALERTS_LOCK, async (db) => {
    const [position] = (await db.query<Position>(MOVE, [number])).rows
    if (position) await store(db, found, position, clock.now())
  })
  const evaluatedAt = performance.now()
  alertsEvaluated.observe({}, () => (performance.now() - evaluatedAt) / 1000)
}

async function store(db: PoolClient, found: Found, position: Position, now: Date): Promise<void> {
  const { organizationIds, problems, missing, managers } = found
  await deleteMembers(db, found.gone)
  await addDefaultRules(db, found.owners, now)
  await db.query(DELETE_RULES, [[...missing]])
  const { rows } = await db.query<Rule>(READ_RULES, [organizationIds])
  const rules = rows.filter((rule) => !ENDPOINT_ALERT_KINDS.includes(rule.kind) || managers.has(toMemberKey(rule)))
  const { rows: incidents } = await db.query<Incident>(READ_INCIDENTS, [organizationIds])
  const { endedJobs, end } = await readEndedJobs(db, organizationIds, position)
  const { stored, discarded } = evaluate({ now, problems, endedJobs, rules, incidents, missing })
  await db.query(STORE, [JSON.stringify(stored.map(toRow))])
  await db.query(DISCARD, [discarded])
  await db.query(SET_POSITION, [end.commitSeq, end.eventId])
}

const toRow = (incident: Incident) => ({
  id: incident.id,
  organization_id: incident.organizationId,
  mode: incident.mode,
  user_id: incident.userId,
  kind: incident.kind,
  resource_id: incident.resourceId,
  computer_id: incident.computerId,
  job_id: incident.jobId,
  facts: incident.facts,
  since: incident.since,
  due_at: incident.dueAt,
  notified_at: incident.notifiedAt,
  solved_at: incident.solvedAt,
})
