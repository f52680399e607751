import type { ListMembersRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { findOrganization } from '../find-organization.ts'
import { MEMBER_COLUMNS, type Member, memberToProto } from '../members.ts'

const LISTED_MAX = 1_000

const LIST_MEMBERS = `
SELECT ${MEMBER_COLUMNS} FROM accounts.membership JOIN accounts.user AS member ON member.id = user_id
WHERE organization_id = $1 AND (cardinality($2::text[]) = 0 OR role = ANY ($2))
ORDER BY membership.created_at, user_id LIMIT ${LISTED_MAX}`

/** @throws ApiError `not_found` if the organization does not exist. */
export async function listMembers(accounts: Accounts, { organizationId, roles }: ListMembersRequest) {
  const { id } = await findOrganization(accounts.orm.em.fork(), organizationId)
  const { rows } = await accounts.pool.query<Member>(LIST_MEMBERS, [id, roles])
  return { members: rows.map(memberToProto) }
}
