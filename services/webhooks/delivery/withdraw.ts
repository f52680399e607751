/** Deliveries that nothing can be made of any more, so that nobody takes them up again. */
import type { Pool } from 'pg'

/**
 * - `delete`: its endpoint was deleted.
 * - `missed`: its endpoint is disabled.
 * - `failed`: its event is kept no longer.
 */
export type Withdrawal = 'delete' | 'missed' | 'failed'

/** Changes nothing when the delivery is not `pending`, or the endpoint was enabled meanwhile. */
export async function withdraw(pool: Pool, id: string, how: Withdrawal): Promise<void> {
  const text =
    how === 'delete'
      ? `DELETE FROM webhooks.delivery WHERE id = $1 AND NOT EXISTS (SELECT FROM webhooks.endpoint WHERE id = endpoint_id)`
      : `UPDATE webhooks.delivery SET status = '${how}', next_attempt_at = NULL, due_at = NULL, publications = publications + 1
         WHERE id = $1 AND status = 'pending'
           ${how === 'missed' ? 'AND NOT (SELECT enabled FROM webhooks.endpoint WHERE endpoint.id = endpoint_id)' : ''}`
  await pool.query({ name: `withdraw a delivery: ${how}`, text, values: [id] })
}
