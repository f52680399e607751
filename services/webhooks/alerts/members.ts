/** The members with rules. Their addresses and roles are read from accounts. */
import { ALERT_KINDS, type AlertKindName } from '@platen/resources/alert-kinds.ts'
import type { Pool, PoolClient } from 'pg'

export interface MemberKey {
  organizationId: string
  userId: string
}

export const toMemberKey = ({ organizationId, userId }: MemberKey) => `${organizationId} ${userId}`

/** Owners have a rule of each of these kinds from the beginning. */
const DEFAULT_KINDS: { kind: AlertKindName; modes: string[] }[] = [
  { kind: 'computer_offline', modes: ['live'] },
  { kind: 'endpoint_failing', modes: ['live', 'test'] },
  { kind: 'endpoint_disabled', modes: ['live', 'test'] },
]

export const OFFLINE_RULE = {
  afterMinutes: ALERT_KINDS.computer_offline.minutes,
  /**
   * Reports problems that began in this time before the rule, so that no computer is reported that is not used any
   * more.
   */
  sinceMs: 24 * 60 * 60_000,
}

const DEFAULT_RULES = DEFAULT_KINDS.flatMap(({ kind, modes }) =>
  modes.map((mode) => `('${mode}', '${kind}', ${ALERT_KINDS[kind].minutes ?? 0})`),
).join(', ')

const ADD = `
WITH added AS (
  INSERT INTO webhooks.alert_member (organization_id, user_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])
  ON CONFLICT DO NOTHING RETURNING organization_id, user_id
)
INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, problems_since, created_at)
SELECT uuidv7(), organization_id, mode, user_id, kind, minutes,
  CASE kind WHEN 'computer_offline' THEN $3::timestamptz END, $4
FROM added CROSS JOIN (VALUES ${DEFAULT_RULES}) AS rule (mode, kind, minutes)
ON CONFLICT DO NOTHING`

/** Adds the default rules of owners who never had rules. */
export async function addDefaultRules(db: Pool | PoolClient, owners: readonly MemberKey[], now: Date): Promise<void> {
  if (owners.length === 0) return
  await db.query(ADD, [
    owners.map(({ organizationId }) => organizationId),
    owners.map(({ userId }) => userId),
    new Date(now.getTime() - OFFLINE_RULE.sinceMs),
    now,
  ])
}

const DELETE = `
WITH gone AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS gone (organization_id, user_id)),
rule AS (
  DELETE FROM webhooks.alert_rule USING gone
  WHERE (alert_rule.organization_id, alert_rule.user_id) = (gone.organization_id, gone.user_id)
),
incident AS (
  DELETE FROM webhooks.incident USING gone
  WHERE (incident.organization_id, incident.user_id) = (gone.organization_id, gone.user_id)
),
mail AS (
  DELETE FROM webhooks.alert_mail USING gone
  WHERE (alert_mail.organization_id, alert_mail.user_id) = (gone.organization_id, gone.user_id)
)
DELETE FROM webhooks.alert_member USING gone
WHERE (alert_member.organization_id, alert_member.user_id) = (gone.organization_id, gone.user_id)`

/** Deletes all alerts of users who have left their organization. */
export async function deleteMembers(db: PoolClient, members: readonly MemberKey[]): Promise<void> {
  if (members.length === 0) return
  await db.query(DELETE, [members.map(({ organizationId }) => organizationId), members.map(({ userId }) => userId)])
}
