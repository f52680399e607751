import { id } from '@platen/resources/fields.ts'
import { z } from 'zod'
import { deleteCachedSession } from '../authentication/sessions.ts'
import { ROLES } from '../caller.ts'
import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'

const MEMBERSHIP = z.object({ id: id(), name: z.string(), role: z.enum(ROLES) })

export const acceptInvitation = operation({
  operationId: 'acceptInvitation',
  method: 'post',
  path: '/account/session/invitations/{id}/accept',
  ids: { id: 'invitation' },
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Accept an invitation',
  description: 'The user becomes a member, within 5 s on every gateway.',
  errors: ['limit_reached'],
  answer: { status: 200, description: 'The organization and the role.', schema: MEMBERSHIP },
  handle:
    (gateway) =>
    async ({ ctx, ids }) => {
      const { membership } = await gateway.accounts.acceptInvitation({
        invitationId: ids.id,
        userId: getSession(ctx).user.id,
        requestId: ctx.state.requestId,
        ip: gateway.getClientAddress(ctx.req),
      })
      deleteCachedSession(gateway, ctx)
      const { organization, role } = required(membership)
      const { id, name } = required(organization)
      return { id, name, role }
    },
})
