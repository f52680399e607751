import { z } from 'zod'
import { ROLES } from '../caller.ts'
import { operation } from '../operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { MEMBER, memberToJson } from './list-members.ts'

const NEW_MEMBER = jsonBody({
  email: z.string().trim().meta({ example: 'ann@example.com' }),
  role: z.enum(ROLES).meta({ example: 'member' }),
})

export const addMember = operation({
  operationId: 'addMember',
  method: 'post',
  path: '/account/members',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  // A stolen session could otherwise invite an owner.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Add a member',
  description: 'The person can sign in at once by a code to this address. No invitation is sent.',
  body: NEW_MEMBER,
  errors: ['limit_reached'],
  answer: { status: 201, description: 'The member.', schema: MEMBER },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, body }) => {
      const { member } = await accounts.addMember({ organizationId, ...body, mustBeNew: true })
      return memberToJson(required(member))
    },
})
