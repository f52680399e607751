import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { PAGE_QUERY } from '../request/page.ts'
import { AUDIT_PAGE, actionToJson } from './list-audit.ts'

export const listOwnAudit = operation({
  operationId: 'listOwnAudit',
  method: 'get',
  path: '/account/session/audit',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Read the own audit log',
  description: 'Sign-ins, wrong codes and ends of sessions of the user, the newest first by default.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of actions.', schema: AUDIT_PAGE },
  handle:
    ({ accounts }) =>
    async ({ ctx, query: { page } }) => {
      const { actions, end } = await accounts.listActions({ logId: getSession(ctx).user.id, page })
      return { data: actions.map(actionToJson), end }
    },
})
