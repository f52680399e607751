/** Ends deliveries that cannot be attempted any more. */
import type { Pool } from 'pg'

/**
 * - `delete`: the endpoint was deleted.
 * - `missed`: the endpoint is disabled.
 * - `failed`: the event was deleted after its retention time.
 */
export type Withdrawal = 'delete' | 'missed' | 'failed'

const IS_DISABLED = 'AND NOT (SELECT enabled FROM webhooks.endpoint WHERE endpoint.id = endpoint_id)'

/** Changes nothing if the delivery is not `pending` or the endpoint was enabled meanwhile. */
export async function withdraw(pool: Pool, id: string, withdrawal: Withdrawal): Promise<void> {
  const text =
    withdrawal === 'delete'
      ? `DELETE FROM webhooks.delivery
         WHERE id = $1 AND NOT EXISTS (SELECT FROM webhooks.endpoint WHERE id = endpoint_id)`
      : `UPDATE webhooks.delivery
         SET status = '${withdrawal}', next_attempt_at = NULL, due_at = NULL, publications = publications + 1
         WHERE id = $1 AND status = 'pending' ${withdrawal === 'missed' ? IS_DISABLED : ''}`
  await pool.query({ name: `withdraw a delivery: ${withdrawal}`, text, values: [id] })
}
