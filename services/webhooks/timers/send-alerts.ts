import { getRetryTime, MAILS_AT_ONCE, sendDue, toLeaseEnd } from '@platen/runtime/mail/mail-queue.ts'
import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import { type AlertFacts, type Durations, toAlertMail } from '../failure-alerts/alert-mail.ts'
import type { Webhooks } from '../webhooks.ts'

/** The search for the last failure reads at most this many deliveries. The newest of them may have no attempt yet. */
const DELIVERIES_READ = 1_000

/** `isCurrent` is false if the run of failures has ended, or a user has enabled or disabled the endpoint. */
const CLAIM = `
WITH claimed AS (
  UPDATE webhooks.failure_alert SET tries = tries + 1, due_at = $2 WHERE endpoint_id IN (
    SELECT endpoint_id FROM webhooks.failure_alert WHERE due_at <= $1 ORDER BY due_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED
  ) RETURNING *
)
SELECT claimed.id, claimed.endpoint_id AS "endpointId", severity, claimed.failing_since AS "failingSince", tries, notified,
  claimed.created_at AS "createdAt", organization_id AS "organizationId", mode, url,
  COALESCE(endpoint.failing_since = claimed.failing_since
    AND CASE severity WHEN 'disabled' THEN disabled_reason = 'failures' ELSE enabled END, false) AS "isCurrent",
  last_failed.last_error AS "lastError", last_failed.last_status_code AS "lastStatusCode"
FROM claimed JOIN webhooks.endpoint ON endpoint.id = endpoint_id
LEFT JOIN LATERAL (
  SELECT last_error, last_status_code FROM (
    SELECT last_error, last_status_code, commit_seq, id FROM webhooks.delivery WHERE delivery.endpoint_id = claimed.endpoint_id
    ORDER BY commit_seq DESC, id DESC LIMIT ${DELIVERIES_READ}
  ) AS newest WHERE last_error IS NOT NULL ORDER BY commit_seq DESC, id DESC LIMIT 1
) AS last_failed ON true`

type Context = Pick<Webhooks, 'pool' | 'clock' | 'log' | 'accounts' | 'mailer'> & Durations

interface Claimed extends AlertFacts {
  id: string
  tries: number
  /** Ids of the users to whom the alert was sent. */
  notified: string[]
  createdAt: Date
  organizationId: string
  isCurrent: boolean
}

/** These change nothing if a newer alert, with another id, has replaced this one. */
const ADD_NOTIFIED = `
UPDATE webhooks.failure_alert SET notified = notified || $3::uuid, due_at = $4 WHERE endpoint_id = $1 AND id = $2`

const FINISH = 'UPDATE webhooks.failure_alert SET due_at = $3 WHERE endpoint_id = $1 AND id = $2'

/** Sends due alerts to each owner who has not received them. Records each mail after it was sent. */
export const sendAlerts = (webhooks: Context, stopping: AbortSignal): Promise<void> =>
  sendDue<Claimed>(webhooks, stopping, CLAIM, (alert) => send(webhooks, alert))

async function send(webhooks: Context, alert: Claimed): Promise<void> {
  const { pool, clock, log } = webhooks
  const { endpointId, id, severity } = alert
  const isDone = await sendToOwners(webhooks, alert)
  const retryAt = isDone ? null : getRetryTime(clock.now(), alert)
  if (!isDone && !retryAt) log.error({ endpoint_id: endpointId, severity }, 'failure alert discarded after three days')
  await pool.query(FINISH, [endpointId, id, retryAt])
}

/** @returns whether the alert needs no further try. */
async function sendToOwners(webhooks: Context, alert: Claimed): Promise<boolean> {
  const { log, mailer, pool, clock } = webhooks
  const { id, endpointId, severity, notified, isCurrent } = alert
  if (!isCurrent) return true
  const owners = await listOwners(webhooks, alert)
  if (owners === undefined) return false
  const facts = { endpoint_id: endpointId, severity }
  if (owners.length === 0) log.warn(facts, 'webhook endpoint is failing and its organization has no owner to notify')
  const { subject, text } = toAlertMail(alert, webhooks)
  let all = true
  for (const { userId, email } of owners.filter((owner) => !notified.includes(owner.userId))) {
    try {
      await mailer.send({ id: `${id}.${userId}`, to: email, subject, text })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      log.warn({ err: error, ...facts, user_id: userId }, 'failure alert not sent, will be retried')
      all = false
      continue
    }
    await pool.query(ADD_NOTIFIED, [endpointId, id, userId, toLeaseEnd(clock.now())])
  }
  return all
}

/** @returns undefined if accounts is not available. */
async function listOwners({ accounts, log }: Context, { organizationId }: Claimed) {
  try {
    return (await accounts.listMembers({ organizationId, roles: ['owner'] })).members
  } catch (error) {
    log.warn({ err: error, organization_id: organizationId }, 'owners of an organization not read, will be retried')
    return undefined
  }
}
