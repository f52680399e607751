import type { FindMembersRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'

interface FoundMember {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  role: string
}

const FIND = `
SELECT organization_id AS "organizationId", organization.name AS "organizationName", user_id AS "userId", email, role
FROM accounts.membership JOIN accounts.organization ON organization.id = organization_id
JOIN accounts.user ON "user".id = user_id
WHERE organization_id = ANY($1::uuid[]) AND deleted_at IS NULL AND (role = 'owner' OR user_id = ANY($2::uuid[]))`

export async function findMembers({ pool }: Accounts, { organizationIds, userIds }: FindMembersRequest) {
  return { members: (await pool.query<FoundMember>(FIND, [organizationIds, userIds])).rows }
}
