/** Sends mails of sign-ins: codes and invitations. */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { MAILS_AT_ONCE, sendDue } from '@platen/runtime/mail/mail-queue.ts'
import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import type { Accounts } from '../accounts.ts'
import { countSql } from './limits.ts'

const RETRY_AFTER_MS = 10_000

export interface DueMail {
  id: string
  email: string
  /** The organization whose share of mails it uses. Null: the address has no access, and gets no mail. */
  organizationId: string | null
}

export interface DueMails<Row extends DueMail> {
  /** SQL: moves the due time of mails at `$1` to `$2`. It returns rows. */
  claim: string
  /** Whether a limit applies that the mail did not pass yet. */
  isLimited(row: Row): boolean
  toMail(row: Row): { subject: string; text: string }
  finish(row: Row, isSent: boolean): Promise<unknown>
  retry(row: Row, at: Date): Promise<unknown>
}

/**
 * SQL: the mails that are due. Only the first attempt of a mail is limited, so that a failing mail server does not use
 * up the share.
 */
export const dueSql = (table: string, where: string) => `
due AS (
  SELECT id, mail_due_at = created_at AS "isFirst" FROM ${table}
  WHERE mail_due_at <= $1 AND expires_at > $1 AND ${where}
  ORDER BY mail_due_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED
)`

const COUNT = countSql('mails of organization', 'SELECT $2::text', '$1', BUDGETS.signInMails.max)

export const sendDueMails = <Row extends DueMail>(
  accounts: Accounts,
  stopping: AbortSignal,
  mails: DueMails<Row>,
): Promise<void> => sendDue<Row>(accounts, stopping, mails.claim, (row) => send(accounts, mails, row))

async function send<Row extends DueMail>(accounts: Accounts, mails: DueMails<Row>, row: Row): Promise<void> {
  const { clock, log, mailer } = accounts
  const { id, email, organizationId } = row
  const isPermitted = organizationId !== null && (!mails.isLimited(row) || (await count(accounts, organizationId)))
  try {
    if (isPermitted) await mailer.send({ id, to: email, ...mails.toMail(row) })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    log.warn({ err: error, mail_id: id }, 'e-mail not sent, will be retried')
    await mails.retry(row, new Date(clock.now().getTime() + RETRY_AFTER_MS))
    return
  }
  await mails.finish(row, isPermitted)
}

async function count({ pool, clock, log }: Accounts, organizationId: string): Promise<boolean> {
  const isCounted = (await pool.query(COUNT, [clock.now(), organizationId])).rowCount === 1
  if (!isCounted)
    log.warn(
      { organization_id: organizationId, max: BUDGETS.signInMails.max },
      'e-mail withheld, the organization had too many in this hour',
    )
  return isCounted
}
