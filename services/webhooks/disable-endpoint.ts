import type { QueryResult } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { EndpointEntity } from './entities.ts'

/** Limits the pending deliveries that one transaction changes, and therefore its duration. A sweep changes the rest. */
export const PENDING_MAX = 5_000

/**
 * SQL: locks pending deliveries of an endpoint. Skips deliveries whose attempt is being recorded, which the sweep or
 * the next attempt finds.
 */
export const LOCK_PENDING = `
SELECT id FROM webhooks.delivery
WHERE endpoint_id = ? AND status = 'pending' LIMIT ${PENDING_MAX} FOR UPDATE SKIP LOCKED`

const MISS_PENDING = `
WITH pending AS (${LOCK_PENDING})
UPDATE webhooks.delivery SET status = 'missed', next_attempt_at = NULL, due_at = NULL
FROM pending WHERE delivery.id = pending.id`

/**
 * The only code that disables endpoints. Makes the pending deliveries `missed`, so that they can be replayed. An
 * endpoint that is already disabled keeps its reason. Reference: docs/reference/webhooks.md#editing.
 *
 * @param em in a transaction, without unwritten changes of the endpoint. The caller refreshes a loaded entity.
 * @returns whether the endpoint was enabled before.
 */
export async function disableEndpoint(
  em: EntityManager,
  endpointId: string,
  reason: 'user' | 'failures',
  disabledAt: Date,
): Promise<boolean> {
  const changes = { enabled: false, disabledReason: reason, disabledAt }
  const disabled = await em.nativeUpdate(EndpointEntity, { id: endpointId, enabled: true }, changes)
  if (disabled > 0) await missPending(em, endpointId)
  return disabled > 0
}

/** @returns the number of deliveries that became `missed`. */
export async function missPending(em: EntityManager, endpointId: string): Promise<number> {
  const { affectedRows } = await em.execute<QueryResult>(MISS_PENDING, [endpointId], 'run')
  return affectedRows
}
