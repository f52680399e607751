import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import { type Durations, type NoticeFacts, noticeMail, type Stage } from '../notices/notice-mail.ts'
import type { Webhooks } from '../webhooks.ts'

const MINUTE_MS = 60_000

/** Longer than one mail may take: until then no other replica sends the notice too. */
const LEASE_MS = 5 * MINUTE_MS

/** Between two tries, doubled each time. */
const PAUSE_MS = { first: MINUTE_MS, longest: 60 * MINUTE_MS }

/** What could not be sent for so long comes too late. */
const GIVE_UP_AFTER_MS = 72 * 60 * MINUTE_MS

/** Where to look for the last failure: the newest may not have been tried yet. */
const DELIVERIES_LOOKED_AT = 1_000

/** Of a run of failures that is over, or was ended by somebody who enabled or disabled the endpoint, nobody needs to hear. */
const CLAIM = `
WITH claimed AS (
  UPDATE webhooks.notice SET tries = tries + 1, due_at = $2 WHERE endpoint_id = (
    SELECT endpoint_id FROM webhooks.notice WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING *
)
SELECT claimed.id, claimed.endpoint_id AS "endpointId", stage, claimed.failing_since AS "failingSince", tries, told,
  claimed.created_at AS "createdAt", organization_id AS "organizationId", mode, url,
  COALESCE(endpoint.failing_since = claimed.failing_since
    AND CASE stage WHEN 'disabled' THEN disabled_reason = 'failures' ELSE enabled END, false) AS "isTrue",
  last_failed.last_error AS "lastError", last_failed.last_status_code AS "lastStatusCode"
FROM claimed JOIN webhooks.endpoint ON endpoint.id = endpoint_id
LEFT JOIN LATERAL (
  SELECT last_error, last_status_code FROM (
    SELECT last_error, last_status_code, list_place, id FROM webhooks.delivery WHERE delivery.endpoint_id = claimed.endpoint_id
    ORDER BY list_place DESC, id DESC LIMIT ${DELIVERIES_LOOKED_AT}
  ) AS newest WHERE last_error IS NOT NULL ORDER BY list_place DESC, id DESC LIMIT 1
) AS last_failed ON true`

type Part = Pick<Webhooks, 'pool' | 'clock' | 'log' | 'accounts' | 'mailer'> & Durations

interface Claimed extends Omit<NoticeFacts, 'stage'> {
  id: string
  stage: Stage
  tries: number
  /** Users who have it. */
  told: string[]
  createdAt: Date
  organizationId: string
  isTrue: boolean
}

/** A notice that another one has replaced meanwhile has another id, and is left alone. */
const TOLD = `
UPDATE webhooks.notice SET told = told || $3::uuid, due_at = $4 WHERE endpoint_id = $1 AND id = $2`

const FINISH = 'UPDATE webhooks.notice SET due_at = $3 WHERE endpoint_id = $1 AND id = $2'

/**
 * Sends what is due to each owner who does not have it yet. Who has it is written down after each mail, so that a process that dies repeats
 * one mail at most, with the same `Message-ID`.
 */
export async function sendNotices(webhooks: Part, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const notice = await claim(webhooks)
    if (!notice) return
    await finish(webhooks, notice, await sendToOwners(webhooks, notice))
  }
}

async function claim({ pool, clock }: Part): Promise<Claimed | undefined> {
  const now = clock.now()
  const { rows } = await pool.query<Claimed>(CLAIM, [now, new Date(now.getTime() + LEASE_MS)])
  return rows[0]
}

/** @returns whether nobody is left who should have it. */
async function sendToOwners(webhooks: Part, notice: Claimed): Promise<boolean> {
  const { log, mailer } = webhooks
  const { id, endpointId, stage, told, isTrue } = notice
  if (!isTrue) return true
  const owners = await ownersOf(webhooks, notice)
  if (owners === undefined) return false
  if (owners.length === 0)
    log.warn(
      { endpoint_id: endpointId, stage },
      'a webhook endpoint is failing, and its organization has no owner to be told',
    )
  const { subject, text } = noticeMail(notice, webhooks)
  let all = true
  for (const { userId, email } of owners.filter((owner) => !told.includes(owner.userId))) {
    try {
      await mailer.send({ id: `${id}.${userId}`, to: email, subject, text })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      log.warn({ err: error, endpoint_id: endpointId, stage, user_id: userId }, 'an e-mail could not be sent')
      all = false
      continue
    }
    await webhooks.pool.query(TOLD, [endpointId, id, userId, leaseEnd(webhooks)])
  }
  return all
}

const leaseEnd = ({ clock }: Part) => new Date(clock.now().getTime() + LEASE_MS)

/** @returns undefined when they cannot be asked for now. */
async function ownersOf({ accounts, log }: Part, { organizationId }: Claimed) {
  try {
    return (await accounts.listMembers({ organizationId, roles: ['owner'] })).members
  } catch (error) {
    log.warn({ err: error, organization_id: organizationId }, 'the owners of an organization could not be asked for')
    return undefined
  }
}

async function finish({ pool, clock, log }: Part, notice: Claimed, done: boolean): Promise<void> {
  const { endpointId, id, stage, tries, createdAt } = notice
  const now = clock.now().getTime()
  const over = !done && now - createdAt.getTime() >= GIVE_UP_AFTER_MS
  if (over) log.error({ endpoint_id: endpointId, stage }, 'an e-mail was given up after three days')
  const pauseMs = Math.min(PAUSE_MS.first * 2 ** (tries - 1), PAUSE_MS.longest)
  await pool.query(FINISH, [endpointId, id, done || over ? null : new Date(now + pauseMs)])
}
