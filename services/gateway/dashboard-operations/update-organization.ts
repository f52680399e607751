import { z } from 'zod'
import { operation } from '../operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { ORGANIZATION, organizationToJson } from './get-organization.ts'

const CHANGE = jsonBody({ name: z.string().meta({ example: 'Corner shop' }) })

export const updateOrganization = operation({
  operationId: 'updateOrganization',
  method: 'patch',
  path: '/account/organization',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  tag: 'Account',
  summary: 'Rename the organization',
  description: 'Other answers show the new name within 5 s.',
  body: CHANGE,
  answer: { status: 200, description: 'The organization.', schema: ORGANIZATION },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, body: { name } }) =>
      organizationToJson(required((await accounts.updateOrganization({ organizationId, name })).organization)),
})
