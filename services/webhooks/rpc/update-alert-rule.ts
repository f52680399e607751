import type { UpdateAlertRuleRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { OF_MEMBER, RULE_COLUMNS, type RuleRow, ruleNotFound, ruleToProto, toMember } from '../alerts/rule-to-proto.ts'
import type { Webhooks } from '../webhooks.ts'

/** A kind without a duration keeps 0. */
const UPDATE = `
UPDATE webhooks.alert_rule SET after_minutes = CASE after_minutes WHEN 0 THEN 0 ELSE $5::int END
WHERE ${OF_MEMBER} AND id = $4 RETURNING ${RULE_COLUMNS}`

/** @throws ApiError `not_found`, also for a rule of another member. */
export async function updateAlertRule({ pool }: Pick<Webhooks, 'pool'>, request: UpdateAlertRuleRequest) {
  const { owner, ruleId, afterMinutes } = request
  const { rows } = await pool.query<RuleRow>(UPDATE, [...toMember(owner), ruleId, afterMinutes])
  if (!rows[0]) throw ruleNotFound(owner?.mode)
  return { rule: ruleToProto(rows[0]) }
}
