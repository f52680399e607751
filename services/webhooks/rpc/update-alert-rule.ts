import type { UpdateAlertRuleRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { ruleNotFound, ruleToProto, toMember } from '../alerts/rule-to-proto.ts'
import { AlertRuleEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

/** @throws ApiError `not_found`, also for a rule of another member. */
export async function updateAlertRule({ orm }: Pick<Webhooks, 'orm'>, request: UpdateAlertRuleRequest) {
  const { owner, ruleId, afterMinutes } = request
  const em = orm.em.fork()
  const where = { ...toMember(owner), id: ruleId }
  // A kind without a duration keeps 0.
  await em.nativeUpdate(AlertRuleEntity, { ...where, afterMinutes: { $ne: 0 } }, { afterMinutes })
  const rule = await em.findOne(AlertRuleEntity, where)
  if (!rule) throw ruleNotFound(owner?.mode)
  return { rule: ruleToProto(rule) }
}
