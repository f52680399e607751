import type { DeleteAlertRuleRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { ruleNotFound, toMember } from '../alerts/rule-to-proto.ts'
import { AlertRuleEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

/** The next evaluation discards its incidents. @throws ApiError `not_found`, also for a rule of another member. */
export async function deleteAlertRule({ orm }: Pick<Webhooks, 'orm'>, { owner, ruleId }: DeleteAlertRuleRequest) {
  const deleted = await orm.em.fork().nativeDelete(AlertRuleEntity, { ...toMember(owner), id: ruleId })
  if (deleted === 0) throw ruleNotFound(owner?.mode)
  return {}
}
