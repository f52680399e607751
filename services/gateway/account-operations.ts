/**
 * The operations of the dashboard for users, sessions and settings, below `/account`. They accept only sessions and are not a part of the
 * public API or its document. The application imports the types of their answers.
 */
import { acceptInvitation } from './account/accept-invitation.ts'
import { createApiKey } from './account/create-api-key.ts'
import { createInvitation } from './account/create-invitation.ts'
import { declineInvitation } from './account/decline-invitation.ts'
import { endOtherSessions } from './account/end-other-sessions.ts'
import { endSession } from './account/end-session.ts'
import { finishSignIn } from './account/finish-sign-in.ts'
import { getOrganization } from './account/get-organization.ts'
import { getSession } from './account/get-session.ts'
import { leaveOrganization } from './account/leave-organization.ts'
import { listApiKeys } from './account/list-api-keys.ts'
import { listAudit } from './account/list-audit.ts'
import { listInvitations } from './account/list-invitations.ts'
import { listMembers } from './account/list-members.ts'
import { listOwnAudit } from './account/list-own-audit.ts'
import { listOwnInvitations } from './account/list-own-invitations.ts'
import { listSessions } from './account/list-sessions.ts'
import { locate } from './account/locate.ts'
import { removeMember } from './account/remove-member.ts'
import { requireSignIn } from './account/require-sign-in.ts'
import { revokeApiKey } from './account/revoke-api-key.ts'
import { signOut } from './account/sign-out.ts'
import { startSignIn } from './account/start-sign-in.ts'
import { updateMember } from './account/update-member.ts'
import { updateOrganization } from './account/update-organization.ts'
import { withdrawInvitation } from './account/withdraw-invitation.ts'
import type { Operation } from './operation.ts'

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  startSignIn,
  finishSignIn,

  getSession,
  signOut,
  listSessions,
  endOtherSessions,
  endSession,
  listOwnInvitations,
  acceptInvitation,
  declineInvitation,
  listOwnAudit,

  listApiKeys,
  createApiKey,
  revokeApiKey,

  listMembers,
  updateMember,
  removeMember,
  requireSignIn,
  leaveOrganization,

  createInvitation,
  listInvitations,
  withdrawInvitation,

  getOrganization,
  updateOrganization,

  listAudit,
  locate,
]
