import type { ListMembersRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { memberToProto } from '../accounts-to-proto.ts'
import { MembershipEntity, type Role } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'

const LISTED_MAX = 1_000

/** @throws ApiError `not_found` if the organization does not exist. */
export async function listMembers({ orm }: Accounts, { organizationId, roles }: ListMembersRequest) {
  const em = orm.em.fork()
  const organization = await findOrganization(em, organizationId)
  const members = await em.find(
    MembershipEntity,
    { organization, ...(roles.length > 0 && { role: { $in: roles as Role[] } }) },
    { populate: ['user'], orderBy: { createdAt: 'asc', user: 'asc' }, limit: LISTED_MAX },
  )
  return { members: members.map(memberToProto) }
}
