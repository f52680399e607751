import { operation } from '../operation/operation.ts'
import { getOwner } from './list-alert-rules.ts'

export const deleteAlertRule = operation({
  operationId: 'deleteAlertRule',
  method: 'delete',
  path: '/account/alerts/{id}',
  ids: { id: 'alert rule' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'Delete an alert rule',
  description: 'Its problems have no further e-mail.',
  answer: { status: 204, description: 'The rule is deleted.' },
  handle:
    ({ alerts }) =>
    async ({ ctx, tenant, ids }) => {
      await alerts.deleteAlertRule({ owner: getOwner(ctx, tenant), ruleId: ids.id })
    },
})
