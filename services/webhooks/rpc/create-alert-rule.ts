import type { CreateAlertRuleRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { ALERTS_LOCK } from '../alerts/incident.ts'
import { addDefaultRules } from '../alerts/members.ts'
import { RULE_COLUMNS, type RuleRow, ruleToProto, toMember } from '../alerts/rule-to-proto.ts'
import type { Webhooks } from '../webhooks.ts'

const ADD_MEMBER = `
INSERT INTO webhooks.alert_member (organization_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`

const ADD = `
INSERT INTO webhooks.alert_rule (organization_id, mode, user_id, id, kind, computer_id, printer_id, after_minutes,
  created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (organization_id, mode, user_id, kind, computer_id, printer_id)
DO UPDATE SET (after_minutes, problems_since) = (excluded.after_minutes, NULL)
RETURNING ${RULE_COLUMNS}`

const COUNT = 'SELECT count(*)::int AS n FROM webhooks.alert_rule WHERE organization_id = $1'

/**
 * The gateway validates all fields, and finds the device. A rule of the same kind and device gets the new duration.
 *
 * @throws ApiError `limit_reached`.
 */
export async function createAlertRule(
  { pool, clock }: Pick<Webhooks, 'pool' | 'clock'>,
  request: CreateAlertRuleRequest,
) {
  const { owner, kind, computerId, printerId, afterMinutes } = request
  const { organizationId, mode, userId } = toMember(owner)
  const now = clock.now()
  return await withAdvisoryLock(pool, ALERTS_LOCK, async (db) => {
    if (owner?.role === 'owner') await addDefaultRules(db, [owner], now)
    await db.query(ADD_MEMBER, [organizationId, userId])
    const device = [computerId || null, printerId || null]
    const values = [organizationId, mode, userId, uuidv7(), kind, ...device, afterMinutes, now]
    const { rows } = await db.query<RuleRow>(ADD, values)
    const count = (await db.query<{ n: number }>(COUNT, [organizationId])).rows[0]?.n ?? 0
    const { max, refusal } = BUDGETS.alertRules
    if (count > max) throw new ApiError(refusal.code, refusal.message(max.toLocaleString('en')))
    return { rule: rows.map(ruleToProto)[0] }
  })
}
