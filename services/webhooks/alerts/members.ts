/** The members with rules. Their addresses and roles are read from accounts. */
import { ALERT_KINDS } from '@platen/resources/alert-kinds.ts'
import type { Pool, PoolClient } from 'pg'
import { v7 as uuidv7 } from 'uuid'

export interface MemberKey {
  organizationId: string
  userId: string
}

/** Owners have it from the beginning, in live mode. */
export const DEFAULT_RULE = {
  kind: 'computer_offline',
  afterMinutes: ALERT_KINDS.computer_offline.minutes,
  /** Reports problems that began in this time before the rule, so that no computer is reported that is not used any more. */
  sinceMs: 24 * 60 * 60_000,
} as const

const ADD = `
WITH added AS (
  INSERT INTO webhooks.alert_member (organization_id, user_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])
  ON CONFLICT DO NOTHING RETURNING organization_id, user_id
)
INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, problems_since, created_at)
SELECT rule.id, organization_id, 'live', user_id, '${DEFAULT_RULE.kind}', ${DEFAULT_RULE.afterMinutes}, $4, $5
FROM added JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS rule (organization_id, user_id, id) USING (organization_id, user_id)
ON CONFLICT DO NOTHING`

/** Adds the default rules of owners who never had rules. */
export async function addDefaultRules(db: Pool | PoolClient, owners: readonly MemberKey[], now: Date): Promise<void> {
  if (owners.length === 0) return
  await db.query(ADD, [
    owners.map(({ organizationId }) => organizationId),
    owners.map(({ userId }) => userId),
    owners.map(() => uuidv7()),
    new Date(now.getTime() - DEFAULT_RULE.sinceMs),
    now,
  ])
}

const DELETE = `
WITH gone AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS gone (organization_id, user_id)),
rule AS (DELETE FROM webhooks.alert_rule USING gone WHERE (alert_rule.organization_id, alert_rule.user_id) = (gone.organization_id, gone.user_id)),
incident AS (DELETE FROM webhooks.incident USING gone WHERE (incident.organization_id, incident.user_id) = (gone.organization_id, gone.user_id)),
mail AS (DELETE FROM webhooks.alert_mail USING gone WHERE (alert_mail.organization_id, alert_mail.user_id) = (gone.organization_id, gone.user_id))
DELETE FROM webhooks.alert_member USING gone
WHERE (alert_member.organization_id, alert_member.user_id) = (gone.organization_id, gone.user_id)`

/** Deletes all alerts of users who have left their organization. */
export async function deleteMembers(db: PoolClient, members: readonly MemberKey[]): Promise<void> {
  if (members.length === 0) return
  await db.query(DELETE, [members.map(({ organizationId }) => organizationId), members.map(({ userId }) => userId)])
}
