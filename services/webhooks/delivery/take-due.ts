/**
 * Takes due deliveries and leases them. A delivery whose lease ends without an outcome is due again. A leased delivery
 * is pending and has a `due_at` after its `next_attempt_at`. The leases of all replicas are counted, one replica at a
 * time, so that no endpoint exceeds its concurrency (`concurrency.ts`) or its rate (`throttle.ts`).
 *
 * The cost depends on the number of leases, requested endpoints and taken deliveries, not on the number of waiting
 * deliveries. Walks `delivery_leased` and, for each endpoint, the oldest entries of `delivery_pending`. Skips locked
 * rows.
 */
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import type { Pool } from 'pg'
import type { Webhooks } from '../webhooks.ts'
import { CONCURRENCY_FAST, CONCURRENCY_SHARED, CONCURRENCY_SLOW, CONCURRENCY_UNREACHABLE } from './concurrency.ts'

/**
 * An endpoint with a limited rate gets at once what it did not get in this time, because due deliveries are polled at
 * intervals.
 */
const CATCH_UP_MS = 250

/** Deliveries of fast endpoints. More deliveries would wait in JetStream until their leases end. */
const LEASED_MAX = 2_000

export interface DueDelivery {
  id: string
  endpointId: string
  /** How many deliveries of the endpoint this call could take. */
  available: number
  /** The rate of the endpoint is limited. */
  isLimited: boolean
  /** The fence of this attempt. Its outcome is ignored if the delivery was published, replayed or recorded since. */
  publication: number
}

/** SQL of a CTE: the first time at which each endpoint has a pending delivery due. One step per endpoint. */
export const WAITING = `waiting AS (
  (SELECT endpoint_id, due_at FROM webhooks.delivery WHERE status = 'pending' ORDER BY endpoint_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM waiting, LATERAL (
    SELECT endpoint_id, due_at FROM webhooks.delivery WHERE status = 'pending' AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id, due_at LIMIT 1
  ) AS next
)`

const FIND_SQL = `WITH RECURSIVE ${WAITING} SELECT endpoint_id AS id FROM waiting WHERE due_at <= $1`

/** @returns the endpoints that have due deliveries. */
export async function findDue(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'find due deliveries', text: FIND_SQL, values: [now] })
  return rows.map(({ id }) => id)
}

/**
 * The endpoints of one kind (fast, slow, unreachable) share its free leases equally; the remainder goes to random
 * endpoints.
 */
const TAKE_SQL = `
WITH leasing AS (
  SELECT endpoint_id, count(due_at)::int AS leased, bool_or(is_requested) AS is_requested
  FROM (
    SELECT endpoint_id, due_at, false AS is_requested FROM webhooks.delivery
    WHERE status = 'pending' AND due_at > next_attempt_at AND due_at > $1
    UNION ALL SELECT unnest($2::uuid[]), NULL, true
  ) AS entry
  GROUP BY endpoint_id
), limited AS (
  SELECT endpoint_id, is_requested AND (organization_id = ANY ($4::uuid[])) IS NOT TRUE AS is_requested, leased,
    coalesce(concurrency, ${CONCURRENCY_FAST}) AS concurrency,
    CASE WHEN concurrency <= ${CONCURRENCY_UNREACHABLE} THEN 'unreachable'
      WHEN concurrency <= ${CONCURRENCY_SLOW} THEN 'slow'
      ELSE 'fast' END AS kind,
    CASE WHEN send_interval_ms IS NULL THEN NULL WHEN send_after > $1 THEN 0
      ELSE 1 + floor(least(extract(epoch FROM $1 - send_after) * 1000, ${CATCH_UP_MS}) / send_interval_ms)::int
      END AS of_rate
  FROM leasing LEFT JOIN webhooks.endpoint ON endpoint.id = endpoint_id
), free AS (
  SELECT endpoint_id, is_requested, kind, least(concurrency - leased, of_rate) AS available,
    of_rate IS NOT NULL AS is_limited,
    CASE kind WHEN 'fast' THEN ${LEASED_MAX} ELSE ${CONCURRENCY_SHARED} END
      - sum(leased) OVER (PARTITION BY kind) AS of_kind
  FROM limited
), share AS (
  SELECT endpoint_id, is_limited,
    least(
      available, (of_kind + count(*) OVER alike - row_number() OVER (alike ORDER BY random())) / count(*) OVER alike
    )::int AS available
  FROM free WHERE is_requested AND available > 0 AND of_kind > 0
  WINDOW alike AS (PARTITION BY kind)
), due AS (
  SELECT oldest.id, available, is_limited FROM share, LATERAL (
    SELECT id FROM webhooks.delivery WHERE endpoint_id = share.endpoint_id AND status = 'pending' AND due_at <= $1
    ORDER BY due_at LIMIT share.available FOR UPDATE SKIP LOCKED
  ) AS oldest
)
UPDATE webhooks.delivery SET due_at = $3, publications = publications + 1 FROM due WHERE delivery.id = due.id
RETURNING delivery.id, endpoint_id AS "endpointId", available, is_limited AS "isLimited", publications AS publication`

/**
 * It is not in the transaction that locks deliveries, because the recording of attempts locks endpoints before
 * deliveries. Another replica may take one more delivery of the endpoint in between.
 */
const COUNT_SQL = `
UPDATE webhooks.endpoint SET
  send_after = greatest(send_after, $2::timestamptz - interval '${CATCH_UP_MS} milliseconds')
    + taken * send_interval_ms * interval '1 millisecond'
FROM (
  SELECT endpoint_id, count(*) AS taken FROM unnest($1::uuid[]) AS taken (endpoint_id) GROUP BY endpoint_id
) AS limited
WHERE endpoint.id = endpoint_id AND send_interval_ms IS NOT NULL`

/** Takes due deliveries of these endpoints, except those of suspended organizations. */
export async function takeDue(
  { pool, clock, suspended }: Pick<Webhooks, 'pool' | 'clock' | 'suspended'>,
  endpointIds: string[],
  leaseMs: number,
): Promise<DueDelivery[]> {
  const now = clock.now()
  const values = [now, endpointIds, new Date(now.getTime() + leaseMs), suspended.ids()]
  const due = await withAdvisoryLock(pool, 'platen webhooks.delivery', async (client) => {
    const { rows } = await client.query<DueDelivery>({ name: 'take due deliveries', text: TAKE_SQL, values })
    return rows
  })
  const limited = due.filter(({ isLimited }) => isLimited).map(({ endpointId }) => endpointId)
  if (limited.length > 0) await pool.query({ name: 'count taken deliveries', text: COUNT_SQL, values: [limited, now] })
  return due
}
