import type { GetOrganizationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { findOrganization } from '../find-organization.ts'

/** @throws ApiError `not_found`. */
export async function getOrganization(accounts: Accounts, { organizationId }: GetOrganizationRequest) {
  const organization = await findOrganization(accounts.orm.em.fork(), organizationId)
  return { organization: organizationToProto(organization) }
}
