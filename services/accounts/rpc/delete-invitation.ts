import type { DeleteInvitationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { InvitationEntity } from '../entities.ts'
import { noInvitation, toOpenInvitations } from '../invitations.ts'

/** @throws ApiError `not_found` also for an invitation of another organization, or for another user. */
export async function deleteInvitation(accounts: Accounts, { invitationId: id, ...by }: DeleteInvitationRequest) {
  const em = accounts.orm.em.fork()
  const where = { $and: [{ id }, await toOpenInvitations(em, accounts, by)] }
  if ((await em.nativeDelete(InvitationEntity, where)) === 0) throw noInvitation()
  return {}
}
