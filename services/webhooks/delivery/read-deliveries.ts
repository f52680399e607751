/**
 * Reads what attempts need, many at once: the delivery as it is now, the endpoint's present URL and secrets, and the body, which is the
 * stored text each time. By primary keys and `secret_of_endpoint`; locks nothing.
 */
import type { Pool } from 'pg'

export interface ReadDelivery {
  id: string
  publication: number
  status: 'pending' | 'succeeded' | 'failed' | 'missed'
  trigger: 'scheduled' | 'replay' | 'test'
  retries: number
  eventId: string
  eventType: string
  /** Null when the event is kept no longer. */
  body: string | null
  endpointId: string
  /** Null when the endpoint was deleted. */
  endpoint: { mode: string; url: string; enabled: boolean; sealed: Buffer[] } | null
}

interface Row extends Omit<ReadDelivery, 'endpoint'> {
  mode: string | null
  url: string
  enabled: boolean
  sealed: Buffer[]
}

const SQL = `
SELECT delivery.id, publications AS publication, status, trigger, retries, event_id AS "eventId", event_type AS "eventType",
  coalesce(delivery.example, event.body) AS body, delivery.endpoint_id AS "endpointId",
  endpoint.mode, endpoint.url, endpoint.enabled,
  ARRAY(SELECT sealed FROM webhooks.secret WHERE secret.endpoint_id = delivery.endpoint_id AND (expires_at IS NULL OR expires_at > $2)
    ORDER BY expires_at IS NULL DESC, created_at DESC) AS sealed
FROM unnest($1::uuid[]) AS asked (id)
JOIN webhooks.delivery ON delivery.id = asked.id
LEFT JOIN webhooks.endpoint ON endpoint.id = delivery.endpoint_id
LEFT JOIN webhooks.event ON event.id = delivery.event_id`

/** @returns by the id; nothing for a delivery that there is not any more. */
export async function readDeliveries(pool: Pool, ids: string[], now: Date): Promise<Map<string, ReadDelivery>> {
  const { rows } = await pool.query<Row>({ name: 'read deliveries', text: SQL, values: [ids, now] })
  return new Map(
    rows.map(({ mode, url, enabled, sealed, ...row }) => [
      row.id,
      { ...row, endpoint: mode === null ? null : { mode, url, enabled, sealed } },
    ]),
  )
}
