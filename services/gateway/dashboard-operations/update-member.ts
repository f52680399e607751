import { z } from 'zod'
import { ROLES } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonChanges } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { MEMBER, memberToJson } from './list-members.ts'

const CHANGE = jsonChanges({ role: z.enum(ROLES).meta({ example: 'member' }) })

export const updateMember = operation({
  operationId: 'updateMember',
  method: 'patch',
  path: '/account/members/{id}',
  ids: { id: 'member' },
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Change a role',
  description: 'The role applies within 5 s. The last owner stays owner.',
  body: CHANGE,
  errors: ['last_owner'],
  answer: { status: 200, description: 'The member.', schema: MEMBER },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, ids, body: { role } }) => {
      const { member } = await accounts.updateMember({ organizationId, userId: ids.id, role })
      return memberToJson(required(member))
    },
})
