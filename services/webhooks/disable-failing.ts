import type { EntityManager } from '@mikro-orm/postgresql'
import { disableEndpoint } from './disable-endpoint.ts'
import type { Webhooks } from './webhooks.ts'

type Context = Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'log' | 'disableAfterMs'>

/** Each endpoint is a transaction of its own. The next sweep finds the rest. */
const ENDPOINTS_PER_CALL = 100

/** The statement uses `endpoint_failing`. */
const FAILING_TOO_LONG = `
SELECT id FROM webhooks.endpoint WHERE failing_since <= $1 AND enabled AND ($2::uuid[] IS NULL OR id = ANY ($2))
ORDER BY failing_since LIMIT ${ENDPOINTS_PER_CALL}`

/** The lock serializes this with the recording of a concurrent success, which keeps the endpoint enabled. */
const STILL_FAILING = `
SELECT id FROM webhooks.endpoint WHERE id = ? AND failing_since <= ? FOR NO KEY UPDATE`

/**
 * Disables an endpoint that has failed for 5 days without a success, and makes its pending deliveries `missed`, in one
 * transaction. Called by `timers/sweep-failing.ts` and, to react sooner, after failed attempts. Reference:
 * docs/reference/webhooks.md#failing-webhook-endpoints.
 *
 * @param endpointIds only these; all endpoints if omitted.
 */
export async function disableFailing(webhooks: Context, endpointIds?: string[]): Promise<void> {
  const since = new Date(webhooks.clock.now().getTime() - webhooks.disableAfterMs)
  const values = [since, endpointIds ?? null]
  const { rows } = await webhooks.pool.query<{ id: string }>({
    name: 'failing too long',
    text: FAILING_TOO_LONG,
    values,
  })
  for (const { id } of rows) {
    const disabled = await webhooks.orm.em.fork().transactional((em) => disableIfFailing(webhooks, em, id, since))
    if (disabled) webhooks.log.info({ endpoint_id: id }, 'webhook endpoint disabled because it kept failing')
  }
}

async function disableIfFailing(
  { clock }: Context,
  em: EntityManager,
  endpointId: string,
  since: Date,
): Promise<boolean> {
  const failing: unknown[] = await em.execute(STILL_FAILING, [endpointId, since])
  if (failing.length === 0) return false
  return await disableEndpoint(em, endpointId, 'failures', clock.now())
}
