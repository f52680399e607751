import type { RequireSignInRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { MembershipEntity } from '../entities.ts'
import { noMember } from '../lock-members.ts'

/**
 * Gateways are not notified. They cache sessions for less than 5 s. The sessions stay valid for other organizations of
 * the user.
 *
 * @throws ApiError `not_found`
 */
export async function requireSignIn({ orm, clock }: Accounts, { organizationId, userId }: RequireSignInRequest) {
  const where = { organization: organizationId, user: userId }
  const updated = await orm.em.fork().nativeUpdate(MembershipEntity, where, { signInAfter: clock.now() })
  if (updated === 0) throw noMember()
  return {}
}
