import type { ListAlertRulesRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { addDefaultRules } from '../alerts/members.ts'
import { OF_MEMBER, RULE_COLUMNS, type RuleRow, ruleToProto, toMember } from '../alerts/rule-to-proto.ts'
import type { Webhooks } from '../webhooks.ts'

const LIST = `SELECT ${RULE_COLUMNS} FROM webhooks.alert_rule WHERE ${OF_MEMBER} ORDER BY created_at, id`

export async function listAlertRules(
  { pool, clock, hasMailServer }: Pick<Webhooks, 'pool' | 'clock' | 'hasMailServer'>,
  { owner }: ListAlertRulesRequest,
) {
  if (owner?.role === 'owner') await addDefaultRules(pool, [owner], clock.now())
  const { rows } = await pool.query<RuleRow>(LIST, toMember(owner))
  return { rules: rows.map(ruleToProto), hasMailServer }
}
