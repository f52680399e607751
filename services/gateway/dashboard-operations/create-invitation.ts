import { z } from 'zod'
import { ROLES } from '../caller.ts'
import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { INVITATION, invitationToJson } from './list-invitations.ts'

const NEW_INVITATION = jsonBody({
  email: z.string().trim().meta({ example: 'ann@example.com' }),
  role: z.enum(ROLES).meta({ example: 'member' }),
})

export const createInvitation = operation({
  operationId: 'createInvitation',
  method: 'post',
  path: '/account/invitations',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  // A stolen session could otherwise invite an owner.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Invite a member',
  description:
    'Sends an e-mail to the address. The person becomes a member by accepting. A repeated request replaces the open invitation.',
  body: NEW_INVITATION,
  errors: ['limit_reached'],
  answer: { status: 201, description: 'The invitation.', schema: INVITATION },
  handle:
    ({ accounts }) =>
    async ({ ctx, tenant: { organizationId }, body }) => {
      const invitedBy = getSession(ctx).user.email
      const { invitation } = await accounts.createInvitation({ organizationId, ...body, invitedBy })
      return invitationToJson(required(invitation))
    },
})
