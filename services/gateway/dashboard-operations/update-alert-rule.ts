import { operation } from '../operation/operation.ts'
import { jsonChanges } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { AFTER_MINUTES } from './create-alert-rule.ts'
import { ALERT_RULE, alertRuleToJson, getOwner } from './list-alert-rules.ts'

export const updateAlertRule = operation({
  operationId: 'updateAlertRule',
  method: 'patch',
  path: '/account/alerts/{id}',
  ids: { id: 'alert rule' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'Change an alert rule',
  description: 'Replaces the duration. A kind without one keeps none.',
  body: jsonChanges({ afterMinutes: AFTER_MINUTES.meta({ example: 60 }) }),
  answer: { status: 200, description: 'The rule.', schema: ALERT_RULE },
  handle:
    ({ alerts }) =>
    async ({ ctx, tenant, ids, body }) => {
      const { rule } = await alerts.updateAlertRule({ owner: getOwner(ctx, tenant), ruleId: ids.id, ...body })
      return alertRuleToJson(required(rule))
    },
})
