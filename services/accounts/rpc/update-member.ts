import type { UpdateMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { lockMembers } from '../lock-members.ts'
import { MEMBER_COLUMNS, type Member, memberToProto, roleField } from '../members.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ organizationId: z.string(), userId: z.string(), role: roleField })

const UPDATE = `
UPDATE accounts.membership SET role = ? FROM accounts.user AS member
WHERE organization_id = ? AND user_id = ? AND member.id = user_id RETURNING ${MEMBER_COLUMNS}`

/**
 * Gateways are not notified. They cache sessions for less than 5 s.
 *
 * @throws ApiError `invalid_request`; `not_found`; `last_owner`.
 */
export async function updateMember(accounts: Accounts, request: UpdateMemberRequest) {
  const { role, ...key } = fields.parseRequest(REQUEST, request)
  const [member] = await accounts.orm.em.fork().transactional(async (em) => {
    await lockMembers(em, key, role)
    return await em.execute<Member[]>(UPDATE, [role, key.organizationId, key.userId])
  })
  return { member: member && memberToProto(member) }
}
