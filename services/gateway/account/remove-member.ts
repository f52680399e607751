import { operation } from '../operation.ts'

export const removeMember = operation({
  operationId: 'removeMember',
  method: 'delete',
  path: '/account/members/{id}',
  ids: { id: 'member' },
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Remove a member',
  description: 'The member loses access within 5 s. API keys that the member created stay valid.',
  errors: ['last_owner'],
  answer: { status: 204, description: 'The member is removed.' },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, ids }) => {
      await accounts.removeMember({ organizationId, userId: ids.id })
    },
})
