import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { INVITATIONS, invitationToJson } from './list-invitations.ts'

export const listOwnInvitations = operation({
  operationId: 'listOwnInvitations',
  method: 'get',
  path: '/account/session/invitations',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'List own invitations',
  description: 'The open invitations of the user, the oldest first.',
  answer: { status: 200, description: 'The invitations.', schema: INVITATIONS },
  handle:
    ({ accounts }) =>
    async ({ ctx }) => {
      const { invitations } = await accounts.listInvitations({ userId: getSession(ctx).user.id })
      return { data: invitations.map(invitationToJson) }
    },
})
