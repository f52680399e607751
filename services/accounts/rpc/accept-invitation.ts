import type { AcceptInvitationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { createMembership } from '../create-membership.ts'
import { AuditEntity, InvitationEntity, UserEntity } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import { noInvitation, toOpenInvitations } from '../invitations.ts'

/**
 * Gateways are not notified. They cache sessions for less than 5 s. The audit log of the organization gets a row
 * together with the membership; before, the person has no place in it.
 *
 * @throws ApiError `not_found`; `limit_reached`, and the invitation stays open.
 */
export async function acceptInvitation(accounts: Accounts, request: AcceptInvitationRequest) {
  const { invitationId: id, userId, requestId, ip } = request
  const membership = await accounts.orm.em.fork().transactional(async (em) => {
    const where = { $and: [{ id }, await toOpenInvitations(em, accounts, { userId })] }
    const invitation = await em.findOne(InvitationEntity, where)
    if (!invitation) throw noInvitation()
    const { role, email } = invitation
    const organization = await findOrganization(em, invitation.organization.id, true)
    // It can have been withdrawn before the lock.
    if ((await em.nativeDelete(InvitationEntity, where)) === 0) throw noInvitation()
    const at = accounts.clock.now()
    em.create(AuditEntity, {
      ...{ id: uuidv7(), logId: organization.id, at, action: 'acceptInvitation', outcome: 'ok', requestId, ip },
      ...{ actorKind: 'user', actorId: userId, actorName: email, target: userId, targetName: email },
    })
    const user = await em.findOneOrFail(UserEntity, userId)
    return await createMembership(em, { organization, user, role, createdAt: at })
  })
  return {
    membership: { organization: organizationToProto(membership.organization), role: membership.role },
  }
}
