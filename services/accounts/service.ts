/**
 * Organizations, their members and API keys, and the sessions of the dashboard. Composes the service;
 * `services/main.ts` runs it.
 */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabase } from '@platen/runtime/database/database.ts'
import { openMailer } from '@platen/runtime/mail/open-mailer.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { signIns } from '@platen/runtime/telemetry/metrics.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import type { Accounts } from './accounts.ts'
import type { Config } from './config.ts'
import * as entities from './entities.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { acceptInvitation } from './rpc/accept-invitation.ts'
import { addMember } from './rpc/add-member.ts'
import { beginAction } from './rpc/begin-action.ts'
import { createApiKey } from './rpc/create-api-key.ts'
import { createInvitation } from './rpc/create-invitation.ts'
import { createOrganization } from './rpc/create-organization.ts'
import { createPrintAccess } from './rpc/create-print-access.ts'
import { createSignInCode } from './rpc/create-sign-in-code.ts'
import { deleteInvitation } from './rpc/delete-invitation.ts'
import { deleteOrganization } from './rpc/delete-organization.ts'
import { endAction } from './rpc/end-action.ts'
import { endOtherSessions } from './rpc/end-other-sessions.ts'
import { endSession } from './rpc/end-session.ts'
import { findMembers } from './rpc/find-members.ts'
import { finishSignIn } from './rpc/finish-sign-in.ts'
import { getApiKey } from './rpc/get-api-key.ts'
import { getOrganization } from './rpc/get-organization.ts'
import { listActions } from './rpc/list-actions.ts'
import { listApiKeys } from './rpc/list-api-keys.ts'
import { listInvitations } from './rpc/list-invitations.ts'
import { listMembers } from './rpc/list-members.ts'
import { listOrganizations } from './rpc/list-organizations.ts'
import { listRefusals } from './rpc/list-refusals.ts'
import { listSessions } from './rpc/list-sessions.ts'
import { listSuspended } from './rpc/list-suspended.ts'
import { recordDeletion } from './rpc/record-deletion.ts'
import { recordRefusals } from './rpc/record-refusals.ts'
import { removeMember } from './rpc/remove-member.ts'
import { removeUser } from './rpc/remove-user.ts'
import { requireSignIn } from './rpc/require-sign-in.ts'
import { revokeApiKey } from './rpc/revoke-api-key.ts'
import { setSuspended } from './rpc/set-suspended.ts'
import { startSignIn } from './rpc/start-sign-in.ts'
import { updateMember } from './rpc/update-member.ts'
import { updateOrganization } from './rpc/update-organization.ts'
import { verifyApiKeys } from './rpc/verify-api-keys.ts'
import { verifySessions } from './rpc/verify-sessions.ts'
import { recordLastUses } from './timers/record-last-uses.ts'
import { sendCodes } from './timers/send-codes.ts'
import { sendInvitations } from './timers/send-invitations.ts'
import { sweepOldRows } from './timers/sweep-old-rows.ts'

const RECORD_USES_EVERY_MS = 10_000
const SEND_INVITATIONS_EVERY_MS = 5_000
/** A user waits for the code. */
const SEND_CODES_EVERY_MS = 500
const SWEEP_OLD_ROWS_EVERY_MS = 60_000

export async function startAccounts(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
): Promise<Accounts> {
  const { orm, pool } = await openDatabase(service, {
    settings: config.database,
    schema: 'accounts',
    entities: [
      ...[entities.OrganizationEntity, entities.ApiKeyEntity, entities.AuditEntity, entities.UserEntity],
      ...[entities.MembershipEntity, entities.InvitationEntity, entities.SessionEntity],
      ...[entities.KnownBrowserEntity, entities.SignInEntity, entities.RefusalEntity],
    ],
    migrations: MIGRATIONS,
  })
  const { mail } = config
  const mailer = openMailer(mail, { clock, log: service.log, stopping: service.stopping })
  service.diagnostics.add('mail', async () => ({ mail: { destination: await mailer.check() } }))
  const accounts: Accounts = {
    orm,
    pool,
    clock,
    log: service.log,
    mailer,
    hasMailServer: mail.to !== undefined && 'host' in mail.to,
    publicUrl: config.publicUrl,
    signInKey: config.signInKey,
    signInCodeMs: config.signInCodeMs,
    sessionIdleMs: config.sessionIdleMs,
    sessionMs: config.sessionMs,
    auditRetentionMs: config.auditRetentionMs,
    lastUses: { api_key: new Map(), session: new Map() },
  }
  for (const outcome of ['succeeded', 'refused']) signIns.add(0, { outcome })
  service.onStop('last uses', () =>
    recordLastUses(accounts).catch((error) =>
      service.log.warn({ err: error }, 'last uses of keys and sessions not recorded'),
    ),
  )
  startTimer(service, 'last uses', RECORD_USES_EVERY_MS, () => recordLastUses(accounts))
  startTimer(service, 'sign-in codes', SEND_CODES_EVERY_MS, () => sendCodes(accounts, service.stopping))
  startTimer(service, 'invitations', SEND_INVITATIONS_EVERY_MS, () => sendInvitations(accounts, service.stopping))
  startTimer(service, 'old rows', SWEEP_OLD_ROWS_EVERY_MS, () => sweepOldRows(accounts))
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(AccountsService, {
        createOrganization: (request) => createOrganization(accounts, request),
        getOrganization: (request) => getOrganization(accounts, request),
        listOrganizations: () => listOrganizations(accounts),
        updateOrganization: (request) => updateOrganization(accounts, request),
        setSuspended: (request) => setSuspended(accounts, request),
        deleteOrganization: (request) => deleteOrganization(accounts, request),
        recordDeletion: (request) => recordDeletion(accounts, request),
        listSuspended: () => listSuspended(accounts),
        createApiKey: (request) => createApiKey(accounts, request),
        createPrintAccess: (request) => createPrintAccess(accounts, request),
        getApiKey: (request) => getApiKey(accounts, request),
        listApiKeys: (request) => listApiKeys(accounts, request),
        revokeApiKey: (request) => revokeApiKey(accounts, request),
        addMember: (request) => addMember(accounts, request),
        listMembers: (request) => listMembers(accounts, request),
        findMembers: (request) => findMembers(accounts, request),
        updateMember: (request) => updateMember(accounts, request),
        removeMember: (request) => removeMember(accounts, request),
        requireSignIn: (request) => requireSignIn(accounts, request),
        createInvitation: (request) => createInvitation(accounts, request),
        listInvitations: (request) => listInvitations(accounts, request),
        acceptInvitation: (request) => acceptInvitation(accounts, request),
        deleteInvitation: (request) => deleteInvitation(accounts, request),
        createSignInCode: (request) => createSignInCode(accounts, request),
        endOtherSessions: (request) => endOtherSessions(accounts, request),
        endSession: (request) => endSession(accounts, request),
        finishSignIn: (request) => finishSignIn(accounts, request),
        listSessions: (request) => listSessions(accounts, request),
        removeUser: (request) => removeUser(accounts, request),
        startSignIn: (request) => startSignIn(accounts, request),
        beginAction: (request) => beginAction(accounts, request),
        endAction: (request) => endAction(accounts, request),
        listActions: (request) => listActions(accounts, request),
        recordRefusals: (request) => recordRefusals(accounts, request),
        listRefusals: (request) => listRefusals(accounts, request),
        verifySessions: (request) => verifySessions(accounts, request),
        verifyApiKeys: (request) => verifyApiKeys(accounts, request),
      }),
  })
  return accounts
}
