/**
 * Takes deliveries whose attempt is due and leases them: whoever took one has until the lease ends to bring it to a worker and the worker
 * to make something of it; else it is due again. One statement. Locks the rows that it takes and skips those that somebody else has;
 * walks `delivery_due`, the oldest first.
 *
 * What is due for an endpoint that rests is kept until the rest is over instead, at no further cost.
 */
import type { Pool } from 'pg'

export interface DueDelivery {
  id: string
  endpointId: string
  /** Its number: what a worker does counts only as long as nobody has published, put off or recorded it since. */
  publication: number
}

export interface TakeOptions {
  now: Date
  leaseMs: number
  limit: number
  resting: { endpointId: string; until: Date }[]
}

const SQL = `
WITH due AS (
  SELECT id, endpoint_id FROM webhooks.delivery WHERE status = 'pending' AND due_at <= $1 ORDER BY due_at LIMIT $2
  FOR UPDATE SKIP LOCKED
)
UPDATE webhooks.delivery SET
  due_at = coalesce(resting.until, $3), next_attempt_at = coalesce(resting.until, delivery.next_attempt_at),
  is_put_off = resting.until IS NOT NULL, publications = delivery.publications + 1
FROM due LEFT JOIN unnest($4::uuid[], $5::timestamptz[]) AS resting (endpoint_id, until) ON resting.endpoint_id = due.endpoint_id
WHERE delivery.id = due.id
RETURNING delivery.id, due.endpoint_id AS "endpointId", publications AS publication, is_put_off AS "isPutOff"`

/** @returns those to publish, and how many were taken in all. */
export async function takeDue(pool: Pool, { now, leaseMs, limit, resting }: TakeOptions) {
  const { rows } = await pool.query<DueDelivery & { isPutOff: boolean }>({
    name: 'take due deliveries',
    text: SQL,
    values: [
      now,
      limit,
      new Date(now.getTime() + leaseMs),
      resting.map(({ endpointId }) => endpointId),
      resting.map(({ until }) => until),
    ],
  })
  return { taken: rows.length, due: rows.filter(({ isPutOff }) => !isPutOff) as DueDelivery[] }
}
