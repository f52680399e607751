import type { UpdateMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { memberToProto } from '../accounts-to-proto.ts'
import { lockMembers } from '../lock-members.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ organizationId: z.string(), userId: z.string(), role: fields.role })

/**
 * Gateways are not notified. They cache sessions for less than 5 s.
 *
 * @throws ApiError `invalid_request`; `not_found`; `last_owner`.
 */
export async function updateMember({ orm }: Accounts, request: UpdateMemberRequest) {
  const { role, ...key } = fields.parseRequest(REQUEST, request)
  const member = await orm.em
    .fork()
    .transactional(async (em) => Object.assign(await lockMembers(em, key, role), { role }))
  return { member: memberToProto(member) }
}
