import type { UpdateOrganizationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { findOrganization } from '../find-organization.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({
  organizationId: z.string(),
  name: fields.name.optional(),
  discardsDocuments: z.boolean().optional(),
  allowsPrintAccess: z.boolean().optional(),
})

/** @throws ApiError `invalid_request` for an invalid name; `not_found`. */
export async function updateOrganization(accounts: Accounts, request: UpdateOrganizationRequest) {
  const { organizationId, ...changes } = fields.parseRequest(REQUEST, {
    ...request,
    name: request.name === '' ? undefined : request.name,
  })
  const em = accounts.orm.em.fork()
  const organization = await findOrganization(em, organizationId)
  em.assign(organization, changes, { ignoreUndefined: true })
  await em.flush()
  return { organization: organizationToProto(organization) }
}
