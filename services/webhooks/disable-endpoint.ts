import type { QueryResult } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { EndpointEntity } from './entities.ts'

/** Of pending deliveries that one transaction changes. More than that are left to a sweep, so that no statement takes long. */
export const PENDING_AT_ONCE = 5_000

/**
 * Waits for no other statement: a delivery whose attempt is being recorded meanwhile is left out, and found by the sweep or by the next
 * attempt at it.
 */
const MISS_PENDING = `
WITH pending AS (
  SELECT id FROM webhooks.delivery WHERE endpoint_id = ? AND status = 'pending' LIMIT ? FOR UPDATE SKIP LOCKED
)
UPDATE webhooks.delivery SET status = 'missed', next_attempt_at = NULL, due_at = NULL
FROM pending WHERE delivery.id = pending.id`

/**
 * Disables an endpoint and makes its pending deliveries `missed`, so that they can be replayed. The only code that disables an endpoint. A
 * disabled endpoint keeps its reason. Reference: docs/reference/webhooks.md#editing.
 *
 * @param em in a transaction, with nothing of the endpoint changed and not written yet. An endpoint that it has loaded is refreshed by the
 *   caller.
 * @returns whether it was enabled until now.
 */
export async function disableEndpoint(
  em: EntityManager,
  endpointId: string,
  reason: 'user' | 'failures',
): Promise<boolean> {
  const changes = { enabled: false, disabledReason: reason }
  const disabled = await em.nativeUpdate(EndpointEntity, { id: endpointId, enabled: true }, changes)
  if (disabled > 0) await missPending(em, endpointId)
  return disabled > 0
}

/** @returns how many became `missed`. */
export async function missPending(em: EntityManager, endpointId: string): Promise<number> {
  const { affectedRows } = await em.execute<QueryResult>(MISS_PENDING, [endpointId, PENDING_AT_ONCE], 'run')
  return affectedRows
}
