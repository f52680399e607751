import type { RemoveMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { ApiKeyEntity } from '../entities.ts'
import { lockMembers } from '../lock-members.ts'

/**
 * Ends the print accesses of the member. Gateways are not notified. They cache sessions and keys for less than 5 s. The
 * sessions stay valid for other organizations of the user.
 *
 * @throws ApiError `not_found`; `last_owner`.
 */
export async function removeMember({ orm, clock }: Accounts, { revokesKeys, ...key }: RemoveMemberRequest) {
  await orm.em.fork().transactional(async (em) => {
    em.remove(await lockMembers(em, key))
    const created = { organization: key.organizationId, createdBy: key.userId, revokedAt: null }
    const own = { organization: key.organizationId, userId: key.userId, revokedAt: null }
    await em.nativeUpdate(ApiKeyEntity, own, { revokedAt: clock.now() })
    if (revokesKeys) await em.nativeUpdate(ApiKeyEntity, created, { revokedAt: clock.now() })
  })
  return {}
}
