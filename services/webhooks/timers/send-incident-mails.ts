import { ApiError } from '@platen/runtime/errors.ts'
import { getRetryTime, MAILS_AT_ONCE, sendDue } from '@platen/runtime/mail/mail-queue.ts'
import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import { queueMails } from '../alerts/queue-mail.ts'
import type { Webhooks } from '../webhooks.ts'

const HOUR_MS = 60 * 60_000

const CLAIM = `
UPDATE webhooks.alert_mail SET tries = tries + 1, due_at = $2 WHERE id IN (
  SELECT id FROM webhooks.alert_mail WHERE due_at <= $1 ORDER BY due_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED
) RETURNING id, organization_id AS "organizationId", user_id AS "userId", subject, text, created_at AS "createdAt", tries`

const FINISH = `UPDATE webhooks.alert_mail SET due_at = NULL, subject = '', text = '' WHERE id = $1`

const RETRY = 'UPDATE webhooks.alert_mail SET due_at = $2 WHERE id = $1'

/** Mails that no limit counts any more. */
const DELETE_OLD = 'DELETE FROM webhooks.alert_mail WHERE due_at IS NULL AND created_at <= $1'

interface Claimed {
  id: string
  organizationId: string
  userId: string
  subject: string
  text: string
  createdAt: Date
  tries: number
}

type Context = Parameters<typeof queueMails>[0] & Pick<Webhooks, 'mailer' | 'log'>

/** Queues the mails of due incidents and sends the queued ones. */
export async function sendIncidentMails(webhooks: Context, stopping: AbortSignal): Promise<void> {
  const { pool, clock } = webhooks
  await pool.query(DELETE_OLD, [new Date(clock.now().getTime() - HOUR_MS)])
  await queueMails(webhooks)
  await sendDue<Claimed>(webhooks, stopping, CLAIM, (mail) => send(webhooks, mail))
}

async function send({ pool, clock, log, mailer, accounts }: Context, mail: Claimed): Promise<void> {
  const { id, organizationId, userId, subject, text } = mail
  const facts = { mail_id: id, organization_id: organizationId, user_id: userId }
  try {
    const { members } = await accounts.findMembers({ organizationIds: [organizationId], userIds: [userId] })
    const member = members.find((one) => one.userId === userId)
    if (member) await mailer.send({ id, to: member.email, subject, text })
  } catch (error) {
    if (!(error instanceof MailFailure || error instanceof ApiError)) throw error
    const retryAt = getRetryTime(clock.now(), mail)
    if (retryAt) {
      log.warn({ err: error, ...facts }, 'alert not sent, will be retried')
      await pool.query(RETRY, [id, retryAt])
      return
    }
    log.error({ err: error, ...facts }, 'alert discarded after three days')
  }
  await pool.query(FINISH, [id])
}
