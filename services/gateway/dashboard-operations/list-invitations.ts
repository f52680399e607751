import type { Invitation } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { ROLES } from '../caller.ts'
import { operation } from '../operation/operation.ts'

export const INVITATION = z
  .object({
    id: id(),
    organization: z.object({ id: id(), name: z.string() }),
    email: z.string(),
    role: z.enum(ROLES),
    /** The address of a user. */
    invitedBy: z.string(),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  })
  .meta({ id: 'Invitation' })

export const INVITATIONS = z.object({ data: z.array(INVITATION) })

export const listInvitations = operation({
  operationId: 'listInvitations',
  method: 'get',
  path: '/account/invitations',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  tag: 'Account',
  summary: 'List invitations',
  description: 'The open invitations to the organization, the oldest first.',
  answer: { status: 200, description: 'The invitations.', schema: INVITATIONS },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId } }) => {
      const { invitations } = await accounts.listInvitations({ organizationId })
      return { data: invitations.map(invitationToJson) }
    },
})

export const invitationToJson = createToJson<Invitation, typeof INVITATION>(INVITATION, {})
