/**
 * Takes deliveries whose attempt is due and leases them: whoever took one has until the lease ends to bring it to a worker and the worker
 * to make something of it; else it is due again. A lease is a pending delivery that is due again later than its attempt was. Counts the
 * leases of all replicas, one of them at a time, so that no endpoint has more than its places (`places.ts`).
 *
 * Costs as much as there are leases, endpoints that are asked for and deliveries that are taken: what an endpoint has no place for waits in
 * the table, at no cost. Walks `delivery_leased` and, for each endpoint, the oldest entries of `delivery_pending`. Skips rows that
 * somebody else has locked.
 */
import { inTurns } from '@platen/runtime/database/in-turns.ts'
import type { Pool } from 'pg'
import { PLACES_MAX, PLACES_SHARED, PLACES_SLOW, PLACES_UNREACHABLE } from './places.ts'

/** Leased to fast endpoints at a time; more would only wait in JetStream, where their leases run out. */
const LEASED_MAX = 2_000

export interface DueDelivery {
  id: string
  endpointId: string
  /** How many of the endpoint could be taken at this time. */
  places: number
  /** Its number: what a worker does counts only as long as nobody has published, replayed or recorded it since. */
  publication: number
}

/** One step for each endpoint: from its oldest delivery to that of the next. */
const FIND_SQL = `
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, due_at FROM webhooks.delivery WHERE status = 'pending' ORDER BY endpoint_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM waiting, LATERAL (
    SELECT endpoint_id, due_at FROM webhooks.delivery WHERE status = 'pending' AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id, due_at LIMIT 1
  ) AS next
)
SELECT endpoint_id AS id FROM waiting WHERE due_at <= $1`

/** @returns the endpoints that have something due. */
export async function findDue(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'find due deliveries', text: FIND_SQL, values: [now] })
  return rows.map(({ id }) => id)
}

/** Fast, slow and unreachable endpoints share places among their like: each gets as many as the others, in an order of chance. */
const TAKE_SQL = `
WITH leasing AS (
  SELECT endpoint_id, count(due_at)::int AS leased, bool_or(is_asked) AS is_asked
  FROM (
    SELECT endpoint_id, due_at, false AS is_asked FROM webhooks.delivery
    WHERE status = 'pending' AND due_at > next_attempt_at AND due_at > $1
    UNION ALL SELECT unnest($2::uuid[]), NULL, true
  ) AS entry
  GROUP BY endpoint_id
), placed AS (
  SELECT endpoint_id, is_asked, leased, coalesce(places, ${PLACES_MAX}) AS places,
    CASE WHEN places <= ${PLACES_UNREACHABLE} THEN 'unreachable' WHEN places <= ${PLACES_SLOW} THEN 'slow' ELSE 'fast' END AS kind
  FROM leasing LEFT JOIN webhooks.endpoint ON endpoint.id = endpoint_id
), free AS (
  SELECT endpoint_id, is_asked, kind, places - leased AS places,
    CASE kind WHEN 'fast' THEN ${LEASED_MAX} ELSE ${PLACES_SHARED} END - sum(leased) OVER (PARTITION BY kind) AS of_kind
  FROM placed
), share AS (
  SELECT endpoint_id,
    least(places, (of_kind + count(*) OVER alike - row_number() OVER (alike ORDER BY random())) / count(*) OVER alike)::int AS places
  FROM free WHERE is_asked AND places > 0 AND of_kind > 0
  WINDOW alike AS (PARTITION BY kind)
), due AS (
  SELECT oldest.id, places FROM share, LATERAL (
    SELECT id FROM webhooks.delivery WHERE endpoint_id = share.endpoint_id AND status = 'pending' AND due_at <= $1
    ORDER BY due_at LIMIT share.places FOR UPDATE SKIP LOCKED
  ) AS oldest
)
UPDATE webhooks.delivery SET due_at = $3, publications = publications + 1 FROM due WHERE delivery.id = due.id
RETURNING delivery.id, endpoint_id AS "endpointId", places, publications AS publication`

/** @param endpointIds those that may have something due. */
export async function takeDue(pool: Pool, endpointIds: string[], now: Date, leaseMs: number): Promise<DueDelivery[]> {
  const values = [now, endpointIds, new Date(now.getTime() + leaseMs)]
  return await inTurns(pool, 'platen webhooks.delivery', async (client) => {
    const { rows } = await client.query<DueDelivery>({ name: 'take due deliveries', text: TAKE_SQL, values })
    return rows
  })
}
