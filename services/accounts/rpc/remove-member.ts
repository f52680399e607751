import type { RemoveMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { lockMembers } from '../lock-members.ts'

const REMOVE = 'DELETE FROM accounts.membership WHERE organization_id = ? AND user_id = ?'

/**
 * Gateways are not notified. They cache sessions for less than 5 s. The sessions stay valid for other organizations of the user, and API keys
 * that the user created stay valid.
 *
 * @throws ApiError `not_found`; `last_owner`.
 */
export async function removeMember(accounts: Accounts, key: RemoveMemberRequest) {
  await accounts.orm.em.fork().transactional(async (em) => {
    await lockMembers(em, key)
    await em.execute(REMOVE, [key.organizationId, key.userId])
  })
  return {}
}
