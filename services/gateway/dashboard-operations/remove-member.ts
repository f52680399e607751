import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'

const REMOVAL = jsonBody({ revokesKeys: z.boolean().default(false).meta({ example: true }) })

export const removeMember = operation({
  operationId: 'removeMember',
  method: 'post',
  path: '/account/members/{id}/remove',
  ids: { id: 'member' },
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Remove a member',
  description:
    'The member loses access within 5 s. With `revokesKeys` the API keys that the member created are revoked, in both modes.',
  body: REMOVAL,
  bodyIsOptional: true,
  errors: ['last_owner'],
  answer: { status: 204, description: 'The member is removed.' },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, ids, body }) => {
      await accounts.removeMember({ organizationId, userId: ids.id, ...body })
    },
})
