import type { DeleteAlertRuleRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { OF_MEMBER, ruleNotFound, toMember } from '../alerts/rule-to-proto.ts'
import type { Webhooks } from '../webhooks.ts'

const DELETE = `DELETE FROM webhooks.alert_rule WHERE ${OF_MEMBER} AND id = $4`

/** The next evaluation discards its incidents. @throws ApiError `not_found`, also for a rule of another member. */
export async function deleteAlertRule({ pool }: Pick<Webhooks, 'pool'>, { owner, ruleId }: DeleteAlertRuleRequest) {
  const { rowCount } = await pool.query(DELETE, [...toMember(owner), ruleId])
  if (rowCount === 0) throw ruleNotFound(owner?.mode)
  return {}
}
