import type { Member } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { ROLES } from '../caller.ts'
import { operation } from '../operation/operation.ts'

export const MEMBER = z
  .object({
    userId: id(),
    email: z.string(),
    role: z.enum(ROLES),
    /** When the member was added. */
    createdAt: timestamp(),
    /** Null before the first sign-in. */
    lastSignInAt: timestamp().nullable(),
  })
  .meta({ id: 'Member' })

const MEMBERS = z.object({ data: z.array(MEMBER) })

export const listMembers = operation({
  operationId: 'listMembers',
  method: 'get',
  path: '/account/members',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  tag: 'Account',
  summary: 'List members',
  description: 'The members of the organization, the oldest first.',
  answer: { status: 200, description: 'The members.', schema: MEMBERS },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId } }) => {
      const { members } = await accounts.listMembers({ organizationId })
      return { data: members.map(memberToJson) }
    },
})

export const memberToJson = createToJson<Member, typeof MEMBER>(MEMBER, {})
