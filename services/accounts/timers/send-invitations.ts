import type { Accounts } from '../accounts.ts'
import { InvitationEntity } from '../entities.ts'
import { type DueMail, dueSql, sendDueMails } from '../sign-in/due-mails.ts'
import { toInvitationMail } from '../sign-in/mails.ts'

interface DueInvitation extends DueMail {
  organizationName: string
  role: string
  invitedBy: string
  expiresAt: Date
  isFirst: boolean
}

const CLAIM = `
WITH ${dueSql('accounts.invitation', 'true')}
UPDATE accounts.invitation SET mail_due_at = $2 FROM due, accounts.organization
WHERE invitation.id = due.id AND organization.id = organization_id
RETURNING due.id, email, organization_id AS "organizationId", name AS "organizationName", role,
  invited_by AS "invitedBy", expires_at AS "expiresAt", "isFirst"`

/** An invitation whose mail is withheld stays open. */
export async function sendInvitations(accounts: Accounts, stopping: AbortSignal): Promise<void> {
  const { orm, publicUrl } = accounts
  const update = (id: string, mailDueAt: Date | null) =>
    orm.em.fork().nativeUpdate(InvitationEntity, { id }, { mailDueAt })
  await sendDueMails<DueInvitation>(accounts, stopping, {
    claim: CLAIM,
    isLimited: ({ isFirst }) => isFirst,
    toMail: (row) => toInvitationMail({ ...row, publicUrl }),
    finish: ({ id }) => update(id, null),
    retry: ({ id }, at) => update(id, at),
  })
}
