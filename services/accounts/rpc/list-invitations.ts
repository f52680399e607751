import type { ListInvitationsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { invitationToProto } from '../accounts-to-proto.ts'
import { InvitationEntity } from '../entities.ts'
import { toOpenInvitations } from '../invitations.ts'

const LISTED_MAX = 1_000

export async function listInvitations(accounts: Accounts, request: ListInvitationsRequest) {
  const em = accounts.orm.em.fork()
  const invitations = await em.find(InvitationEntity, await toOpenInvitations(em, accounts, request), {
    populate: ['organization'],
    orderBy: { createdAt: 'asc', id: 'asc' },
    limit: LISTED_MAX,
  })
  return { invitations: invitations.map(invitationToProto) }
}
