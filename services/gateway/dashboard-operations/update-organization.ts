import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { jsonChanges } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { ORGANIZATION, organizationToJson } from './get-organization.ts'

const CHANGE = jsonChanges({
  name: z.string().min(1).optional().meta({ example: 'Corner shop' }),
  retainsDocuments: z.boolean().optional(),
  allowsPrintAccess: z.boolean().optional(),
})

export const updateOrganization = operation({
  operationId: 'updateOrganization',
  method: 'patch',
  path: '/account/organization',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  roles: ['owner'],
  tag: 'Account',
  summary: 'Change the organization',
  description:
    'Other answers show the new name, creations use the new default of `retain`, and computers can print or not, within 5 s.',
  body: CHANGE,
  answer: { status: 200, description: 'The organization.', schema: ORGANIZATION },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId }, body: { name, retainsDocuments, allowsPrintAccess } }) => {
      const discardsDocuments = retainsDocuments === undefined ? undefined : !retainsDocuments
      const { organization } = await accounts.updateOrganization({
        organizationId,
        name,
        discardsDocuments,
        allowsPrintAccess,
      })
      return organizationToJson(required(organization))
    },
})
