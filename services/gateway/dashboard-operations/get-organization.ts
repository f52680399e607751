import type { Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'

export const ORGANIZATION = z
  .object({
    id: id(),
    name: z.string(),
    /** Whether documents are stored after the end of their jobs, unless a creation sets `retain`. */
    retainsDocuments: z.boolean(),
    /** Whether computers can print with print accesses. */
    allowsPrintAccess: z.boolean(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Organization' })

export const getOrganization = operation({
  operationId: 'getOrganization',
  method: 'get',
  path: '/account/organization',
  scope: null,
  credential: 'session',
  tenant: 'organization',
  tag: 'Account',
  summary: 'Read the organization',
  description: 'The name of the organization.',
  answer: { status: 200, description: 'The organization.', schema: ORGANIZATION },
  handle:
    ({ accounts }) =>
    async ({ tenant: { organizationId } }) =>
      organizationToJson(required((await accounts.getOrganization({ organizationId })).organization)),
})

export const organizationToJson = createToJson<Organization, typeof ORGANIZATION>(ORGANIZATION, {
  retainsDocuments: ({ discardsDocuments }) => !discardsDocuments,
})
