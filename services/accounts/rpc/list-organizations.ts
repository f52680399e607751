import { create } from '@bufbuild/protobuf'
import {
  type ListOrganizationsResponse,
  ListOrganizationsResponseSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { OrganizationEntity } from '../entities.ts'

/** All of them, oldest first. */
export async function listOrganizations(accounts: Accounts): Promise<ListOrganizationsResponse> {
  const organizations = await accounts.orm.em.fork().find(OrganizationEntity, {}, { orderBy: { id: 'asc' } })
  return create(ListOrganizationsResponseSchema, { organizations: organizations.map(organizationToProto) })
}
