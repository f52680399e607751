import { operation } from '../operation/operation.ts'

export const withdrawInvitation = operation({
  operationId: 'withdrawInvitation',
  method: 'delete',
  path: '/account/invitations/{id}',
  ids: { id: 'invitation' },
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  tag: 'Account',
  summary: 'Withdraw an invitation',
  description: 'It can no longer be accepted.',
  answer: { status: 204, description: 'The invitation is withdrawn.' },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, ids }) => {
      await accounts.deleteInvitation({ organizationId, invitationId: ids.id })
    },
})
