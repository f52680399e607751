import { BUDGETS } from '@platen/resources/budgets.ts'
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Webhooks } from '../webhooks.ts'
import { ALERTS_LOCK, COLLECT_MS, INCIDENT_COLUMNS, type Incident } from './incident.ts'
import { toIncidentMail } from './incident-mail.ts'
import type { MemberKey } from './members.ts'
import { showIncident } from './show-incident.ts'

const HOUR_MS = 60 * 60_000

/** Between two mails to one member in an organization. What happens meanwhile is in the second one. */
const PAUSE_MS = 5 * 60_000

/** The incidents of one mail. The others are counted. */
const SHOWN_MAX = 20

/** Members to whom mails are permitted. @param member SQL: a condition. */
const dueMembers = (member = 'true') => `
SELECT organization_id AS "organizationId", user_id AS "userId" FROM webhooks.incident
WHERE due_at <= $1 AND ${member}
  AND NOT EXISTS (
    SELECT FROM webhooks.alert_mail AS mail
    WHERE mail.organization_id = incident.organization_id AND mail.user_id = incident.user_id AND mail.created_at > $2)
  AND (SELECT count(*) FROM webhooks.alert_mail AS mail
    WHERE mail.organization_id = incident.organization_id AND mail.created_at > $3) < ${BUDGETS.alertMails.max}
GROUP BY organization_id, user_id`

const DUE = dueMembers()
const STILL_DUE = dueMembers('organization_id = $4 AND user_id = $5')

/** New problems first. Includes those that wait for others. */
const READ = `
SELECT ${INCIDENT_COLUMNS}
FROM webhooks.incident
WHERE organization_id = $1 AND user_id = $2 AND due_at <= $3 ORDER BY notified_at IS NOT NULL, since, id`

/** Has a row for each incident that has not changed since it was read. */
const LOCK = `
SELECT FROM webhooks.incident
JOIN jsonb_to_recordset($1) AS read (id uuid, "notifiedAt" timestamptz, "solvedAt" timestamptz) USING (id)
WHERE notified_at IS NOT DISTINCT FROM "notifiedAt" AND solved_at IS NOT DISTINCT FROM "solvedAt"
FOR UPDATE OF incident`

/** A solved incident has no further mail. */
const FINISH = `
WITH ended AS (DELETE FROM webhooks.incident WHERE id = ANY($1::uuid[]) AND solved_at IS NOT NULL)
UPDATE webhooks.incident SET notified_at = $2, due_at = NULL WHERE id = ANY($1::uuid[]) AND solved_at IS NULL`

const ADD = `
INSERT INTO webhooks.alert_mail (id, organization_id, user_id, subject, text, created_at, due_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)`

type Context = Pick<
  Webhooks,
  'pool' | 'clock' | 'log' | 'accounts' | 'devices' | 'jobs' | 'suspended' | 'eventRetentionMs' | 'publicUrl'
>

/**
 * Writes the mails of due incidents, one for each member. The transaction that inserts a mail also changes its
 * incidents, so each incident is in one mail, whatever number of replicas runs this.
 */
export async function queueMails(webhooks: Context): Promise<void> {
  const { pool, clock, suspended, log } = webhooks
  const { rows } = await pool.query<MemberKey>(DUE, getTimes(clock.now()))
  for (const member of rows.filter(({ organizationId }) => !suspended.has(organizationId)))
    await queueMail(webhooks, member).catch((error: unknown) =>
      log.warn({ err: error, organization_id: member.organizationId }, 'alert not written, will be retried'),
    )
}

const getTimes = (now: Date) => [now, new Date(now.getTime() - PAUSE_MS), new Date(now.getTime() - HOUR_MS)]

async function queueMail(webhooks: Context, { organizationId, userId }: MemberKey): Promise<void> {
  const { pool, accounts, publicUrl, clock } = webhooks
  const now = clock.now()
  const { members } = await accounts.findMembers({ organizationIds: [organizationId], userIds: [userId] })
  const member = members.find((one) => one.userId === userId)
  // The next evaluation deletes the alerts of a former member.
  if (!member) return
  const until = new Date(now.getTime() + COLLECT_MS)
  const { rows: incidents } = await pool.query<Incident>(READ, [organizationId, userId, until])
  const shown = await Promise.all(
    incidents
      .slice(0, SHOWN_MAX)
      .map(async (incident) => ({ incident, shown: await showIncident(webhooks, incident) })),
  )
  const { subject, text } = toIncidentMail({
    organization: { id: organizationId, name: member.organizationName },
    problems: shown.filter(({ incident }) => !incident.notifiedAt).map((one) => one.shown),
    solved: shown.filter(({ incident }) => incident.notifiedAt).map((one) => one.shown),
    omitted: incidents.length - shown.length,
    publicUrl,
  })
  const ids = incidents.map(({ id }) => id)
  await withAdvisoryLock(pool, ALERTS_LOCK, async (db) => {
    const isDue = (await db.query(STILL_DUE, [...getTimes(now), organizationId, userId])).rowCount === 1
    const unchanged = (await db.query(LOCK, [JSON.stringify(incidents)])).rowCount
    if (!isDue || unchanged !== ids.length) return
    await db.query(FINISH, [ids, now])
    await db.query(ADD, [uuidv7(), organizationId, userId, subject, text, now])
  })
}
