import { operation } from '../operation/operation.ts'

export const requireSignIn = operation({
  operationId: 'requireSignIn',
  method: 'post',
  path: '/account/members/{id}/require-sign-in',
  ids: { id: 'member' },
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  tag: 'Account',
  summary: 'Require a new sign-in',
  description:
    'The present sessions of the member are refused for this organization within 5 s, and accepted for others.',
  answer: { status: 204, description: 'The member must sign in again.' },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, ids }) => {
      await accounts.requireSignIn({ organizationId, userId: ids.id })
    },
})
