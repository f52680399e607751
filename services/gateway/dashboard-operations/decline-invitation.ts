import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'

export const declineInvitation = operation({
  operationId: 'declineInvitation',
  method: 'delete',
  path: '/account/session/invitations/{id}',
  ids: { id: 'invitation' },
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Decline an invitation',
  description: 'The organization is not notified; the invitation disappears from its list.',
  answer: { status: 204, description: 'The invitation is declined.' },
  handle:
    ({ accounts }) =>
    async ({ ctx, ids }) => {
      await accounts.deleteInvitation({ userId: getSession(ctx).user.id, invitationId: ids.id })
    },
})
