import { deleteCachedSession } from '../authentication/sessions.ts'
import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'

export const leaveOrganization = operation({
  operationId: 'leaveOrganization',
  method: 'delete',
  path: '/account/membership',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  needsRecentSignIn: () => true,
  isAudited: 'always',
  tag: 'Account',
  summary: 'Leave the organization',
  description: 'The user loses access within 5 s. The last owner stays.',
  errors: ['last_owner'],
  answer: { status: 204, description: 'The user is no longer a member.' },
  handle:
    (gateway) =>
    async ({ ctx, tenant: { organizationId } }) => {
      await gateway.accounts.removeMember({ organizationId, userId: getSession(ctx).user.id })
      deleteCachedSession(gateway, ctx)
    },
})
