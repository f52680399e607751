import { ApiError } from '@platen/runtime/errors.ts'
import { getRetryTime, MAILS_AT_ONCE, sendDue } from '@platen/runtime/mail/mail-queue.ts'
import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import { queueMails } from '../alerts/queue-mail.ts'
import { AlertMailEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

const HOUR_MS = 60 * 60_000

const CLAIM = `
UPDATE webhooks.alert_mail SET tries = tries + 1, due_at = $2 WHERE id IN (
  SELECT id FROM webhooks.alert_mail WHERE due_at <= $1 ORDER BY due_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED
)
RETURNING id, organization_id AS "organizationId", user_id AS "userId", subject, text, created_at AS "createdAt", tries`

interface Claimed {
  id: string
  organizationId: string
  userId: string
  subject: string
  text: string
  createdAt: Date
  tries: number
}

type Context = Parameters<typeof queueMails>[0] & Pick<Webhooks, 'orm' | 'mailer' | 'log'>

/** Queues the mails of due incidents and sends the queued ones. */
export async function sendIncidentMails(webhooks: Context, stopping: AbortSignal): Promise<void> {
  const { orm, clock } = webhooks
  // Mails that no limit counts any more.
  const old = { dueAt: null, createdAt: { $lte: new Date(clock.now().getTime() - HOUR_MS) } }
  await orm.em.fork().nativeDelete(AlertMailEntity, old)
  await queueMails(webhooks)
  await sendDue<Claimed>(webhooks, stopping, CLAIM, (mail) => send(webhooks, mail))
}

async function send({ orm, clock, log, mailer, accounts }: Context, mail: Claimed): Promise<void> {
  const { id, organizationId, userId, subject, text } = mail
  const em = orm.em.fork()
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
      await em.nativeUpdate(AlertMailEntity, { id }, { dueAt: retryAt })
      return
    }
    log.error({ err: error, ...facts }, 'alert discarded after three days')
  }
  await em.nativeUpdate(AlertMailEntity, { id }, { dueAt: null, subject: '', text: '' })
}
