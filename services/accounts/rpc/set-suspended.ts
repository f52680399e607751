import type { SetSuspendedRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { findOrganization } from '../find-organization.ts'

/**
 * Gateways cache organizations for less than 5 s, devices and webhooks poll `listSuspended`. A repeated call keeps the
 * time of the suspension.
 *
 * @throws ApiError `not_found`.
 */
export async function setSuspended(accounts: Accounts, { organizationId, isSuspended }: SetSuspendedRequest) {
  const organization = await accounts.orm.em.fork().transactional(async (em) => {
    const found = await findOrganization(em, organizationId, true)
    return em.assign(found, { suspendedAt: isSuspended ? (found.suspendedAt ?? accounts.clock.now()) : null })
  })
  return { organization: organizationToProto(organization) }
}
