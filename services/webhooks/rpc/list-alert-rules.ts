import type { ListAlertRulesRequest } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { addDefaultRules } from '../alerts/members.ts'
import { ruleToProto, toMember } from '../alerts/rule-to-proto.ts'
import { AlertRuleEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

export async function listAlertRules(
  { orm, pool, clock, hasMailServer }: Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'hasMailServer'>,
  { owner }: ListAlertRulesRequest,
) {
  if (owner?.role === 'owner') await addDefaultRules(pool, [owner], clock.now())
  const options = { orderBy: { createdAt: 'asc', id: 'asc' } } as const
  const rules = await orm.em.fork().find(AlertRuleEntity, toMember(owner), options)
  return { rules: rules.map(ruleToProto), hasMailServer }
}
