/**
 * The operations of the dashboard for users, sessions and settings, below `/account`. They accept only sessions and are
 * not a part of the public API or its document. The application imports the types of their answers.
 */
import { acceptInvitation } from './dashboard-operations/accept-invitation.ts'
import { addNetworkPrinter } from './dashboard-operations/add-network-printer.ts'
import { askPrinter } from './dashboard-operations/ask-printer.ts'
import { collectDiagnostics } from './dashboard-operations/collect-diagnostics.ts'
import { countWebhookDeliveries } from './dashboard-operations/count-webhook-deliveries.ts'
import { createAlertRule } from './dashboard-operations/create-alert-rule.ts'
import { createApiKey } from './dashboard-operations/create-api-key.ts'
import { createInvitation } from './dashboard-operations/create-invitation.ts'
import { declineInvitation } from './dashboard-operations/decline-invitation.ts'
import { deleteAlertRule } from './dashboard-operations/delete-alert-rule.ts'
import { endOtherSessions } from './dashboard-operations/end-other-sessions.ts'
import { endSession } from './dashboard-operations/end-session.ts'
import { findNetworkPrinters } from './dashboard-operations/find-network-printers.ts'
import { finishSignIn } from './dashboard-operations/finish-sign-in.ts'
import { getDevices } from './dashboard-operations/get-devices.ts'
import { getOrganization } from './dashboard-operations/get-organization.ts'
import { getOverview } from './dashboard-operations/get-overview.ts'
import { getSession } from './dashboard-operations/get-session.ts'
import { leaveOrganization } from './dashboard-operations/leave-organization.ts'
import { listAlertRules } from './dashboard-operations/list-alert-rules.ts'
import { listApiKeys } from './dashboard-operations/list-api-keys.ts'
import { listAudit } from './dashboard-operations/list-audit.ts'
import { listDiagnostics } from './dashboard-operations/list-diagnostics.ts'
import { listInvitations } from './dashboard-operations/list-invitations.ts'
import { listMembers } from './dashboard-operations/list-members.ts'
import { listNetworkPrinters } from './dashboard-operations/list-network-printers.ts'
import { listOwnAudit } from './dashboard-operations/list-own-audit.ts'
import { listOwnInvitations } from './dashboard-operations/list-own-invitations.ts'
import { listRefusals } from './dashboard-operations/list-refusals.ts'
import { listSessions } from './dashboard-operations/list-sessions.ts'
import { locate } from './dashboard-operations/locate.ts'
import { pauseComputer } from './dashboard-operations/pause-computer.ts'
import { removeMember } from './dashboard-operations/remove-member.ts'
import { removeNetworkPrinter } from './dashboard-operations/remove-network-printer.ts'
import { requireSignIn } from './dashboard-operations/require-sign-in.ts'
import { resumeComputer } from './dashboard-operations/resume-computer.ts'
import { revokeApiKey } from './dashboard-operations/revoke-api-key.ts'
import { setPrinterLanguage } from './dashboard-operations/set-printer-language.ts'
import { signOut } from './dashboard-operations/sign-out.ts'
import { startSignIn } from './dashboard-operations/start-sign-in.ts'
import { updateAgent } from './dashboard-operations/update-agent.ts'
import { updateAlertRule } from './dashboard-operations/update-alert-rule.ts'
import { updateMember } from './dashboard-operations/update-member.ts'
import { updateOrganization } from './dashboard-operations/update-organization.ts'
import { withdrawInvitation } from './dashboard-operations/withdraw-invitation.ts'
import type { Operation } from './operation/operation.ts'

export const DASHBOARD_OPERATIONS: readonly Operation[] = [
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
  listRefusals,

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
  getOverview,
  getDevices,

  findNetworkPrinters,
  listNetworkPrinters,
  addNetworkPrinter,
  askPrinter,
  removeNetworkPrinter,
  setPrinterLanguage,
  pauseComputer,
  resumeComputer,
  updateAgent,
  collectDiagnostics,
  listDiagnostics,

  countWebhookDeliveries,

  listAlertRules,
  createAlertRule,
  updateAlertRule,
  deleteAlertRule,

  listAudit,
  locate,
]
