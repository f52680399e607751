/**
 * Disables endpoints that have failed for too long. Called by `timers/sweep-failing.ts`, also for endpoints to which nothing is sent, and
 * after attempts that failed; the sweep alone would be enough.
 */
import type { EntityManager } from '@mikro-orm/postgresql'
import { disableEndpoint } from './disable-endpoint.ts'
import { addNotices } from './notices/add-notices.ts'
import type { Webhooks } from './webhooks.ts'

type Part = Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'log' | 'disableAfterMs'>

/** Each is a transaction of its own. The sweep finds the others at its next turn. */
const AT_ONCE = 100

/** By `endpoint_failing`. */
const FAILING_TOO_LONG = `
SELECT id FROM webhooks.endpoint WHERE failing_since <= $1 AND enabled AND ($2::uuid[] IS NULL OR id = ANY ($2))
ORDER BY failing_since LIMIT ${AT_ONCE}`

/** Locks the endpoint, so that a success that is recorded at the same time counts: whoever is later sees the other. */
const STILL_FAILING = `
SELECT id FROM webhooks.endpoint WHERE id = ? AND enabled AND failing_since <= ? FOR NO KEY UPDATE`

const ADD_NOTICE = addNotices(
  `SELECT id AS endpoint_id, 'disabled' AS stage, failing_since FROM webhooks.endpoint WHERE id = ?`,
  '?::timestamptz',
)

/**
 * Disables an endpoint that has failed for 5 days without a success, makes its pending deliveries `missed`, and adds the alerts of its owners,
 * in one transaction. Other endpoints are unchanged. Reference: docs/reference/webhooks.md#failing-webhook-endpoints.
 *
 * @param endpointIds those to look at; all when left out.
 */
export async function disableFailing(webhooks: Part, endpointIds?: string[]): Promise<void> {
  const since = new Date(webhooks.clock.now().getTime() - webhooks.disableAfterMs)
  const values = [since, endpointIds ?? null]
  const { rows } = await webhooks.pool.query<{ id: string }>({
    name: 'failing too long',
    text: FAILING_TOO_LONG,
    values,
  })
  for (const { id } of rows) {
    const disabled = await webhooks.orm.em.fork().transactional((em) => disableIfFailing(webhooks, em, id, since))
    if (disabled) webhooks.log.info({ endpoint_id: id }, 'a webhook endpoint was disabled, since it kept failing')
  }
}

async function disableIfFailing({ clock }: Part, em: EntityManager, endpointId: string, since: Date): Promise<boolean> {
  const failing: unknown[] = await em.execute(STILL_FAILING, [endpointId, since])
  if (failing.length === 0) return false
  const wasEnabled = await disableEndpoint(em, endpointId, 'failures')
  const now = clock.now()
  if (wasEnabled) await em.execute(ADD_NOTICE, [now, now, endpointId])
  return wasEnabled
}
