/**
 * The operations of the dashboard for users, sessions and settings, below `/account`. They accept only sessions and are not a part of the
 * public API or its document. The application imports the types of their answers.
 */
import { addMember } from './account/add-member.ts'
import { createApiKey } from './account/create-api-key.ts'
import { endOtherSessions } from './account/end-other-sessions.ts'
import { endSession } from './account/end-session.ts'
import { finishSignIn } from './account/finish-sign-in.ts'
import { getOrganization } from './account/get-organization.ts'
import { getSession } from './account/get-session.ts'
import { listApiKeys } from './account/list-api-keys.ts'
import { listAudit } from './account/list-audit.ts'
import { listMembers } from './account/list-members.ts'
import { listSessions } from './account/list-sessions.ts'
import { locate } from './account/locate.ts'
import { removeMember } from './account/remove-member.ts'
import { revokeApiKey } from './account/revoke-api-key.ts'
import { signOut } from './account/sign-out.ts'
import { startSignIn } from './account/start-sign-in.ts'
import { updateMember } from './account/update-member.ts'
import { updateOrganization } from './account/update-organization.ts'
import type { Operation } from './operation.ts'

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  startSignIn,
  finishSignIn,

  getSession,
  signOut,
  listSessions,
  endOtherSessions,
  endSession,

  listApiKeys,
  createApiKey,
  revokeApiKey,

  listMembers,
  addMember,
  updateMember,
  removeMember,

  getOrganization,
  updateOrganization,

  listAudit,
  locate,
]
