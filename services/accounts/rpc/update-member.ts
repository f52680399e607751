import type { UpdateMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { lockMembers } from '../lock-members.ts'
import { MEMBER_COLUMNS, type Member, memberToProto, roleField } from '../members.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ organizationId: z.string(), userId: z.string(), role: roleField })

const UPDATE = 'UPDATE accounts.membership SET role = ? WHERE organization_id = ? AND user_id = ?'

const FIND = `
SELECT ${MEMBER_COLUMNS} FROM accounts.membership JOIN accounts.user AS member ON member.id = user_id
WHERE organization_id = $1 AND user_id = $2`

/**
 * Gateways are not notified. They cache sessions for less than 5 s.
 *
 * @throws ApiError `invalid_request`; `not_found`; `last_owner`.
 */
export async function updateMember(accounts: Accounts, request: UpdateMemberRequest) {
  const { role, ...key } = fields.parseRequest(REQUEST, request)
  const { organizationId, userId } = key
  await accounts.orm.em.fork().transactional(async (em) => {
    await lockMembers(em, key, role)
    await em.execute(UPDATE, [role, organizationId, userId])
  })
  const { rows } = await accounts.pool.query<Member>(FIND, [organizationId, userId])
  return { member: rows.map(memberToProto)[0] }
}
