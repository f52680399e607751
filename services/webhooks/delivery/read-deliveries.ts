/**
 * Reads the data of many attempts: the delivery, the current URL and secrets of its endpoint, and the body, which has
 * the same bytes in each attempt. By primary keys and `secret_of_endpoint`; locks nothing.
 */
import type { Pool } from 'pg'
import type { DeliveryStatus, DeliveryTrigger } from '../entities.ts'
import { EVENT_RESOURCE } from '../events/event-resource.ts'
import type { RetryState } from './schedule.ts'
import type { SendRate } from './throttle.ts'

export interface ReadDelivery extends RetryState {
  id: string
  publication: number
  status: DeliveryStatus
  trigger: DeliveryTrigger
  /** Attempts that have ended. */
  attempts: number
  eventId: string
  eventType: string
  /** The id of the event of a print job. Null for other events and for tests. */
  jobId: string | null
  /** The traceparent of the cause of the event. */
  traceparent: string | null
  /** Null if the event was deleted after its retention time. */
  body: string | null
  endpointId: string
  /** Null if the endpoint was deleted. The current secret is the first. */
  endpoint: ReadEndpoint | null
}

export interface ReadEndpoint {
  mode: string
  url: string
  enabled: boolean
  encryptedSecrets: Buffer[]
  failingSince: Date | null
  rate: SendRate
}

interface Row extends Omit<ReadDelivery, 'endpoint'>, Omit<ReadEndpoint, 'mode' | 'rate'>, SendRate {
  mode: string | null
}

const SQL = `
SELECT delivery.id, publications AS publication, status, trigger, attempts, retries,
  throttled_since AS "throttledSince", scheduled_at AS "scheduledAt", event_id AS "eventId", event_type AS "eventType",
  CASE WHEN event.type LIKE 'printjob.%' THEN ${EVENT_RESOURCE} END AS "jobId", event.traceparent,
  coalesce(delivery.example, event.body) AS body, delivery.endpoint_id AS "endpointId",
  endpoint.mode, endpoint.url, endpoint.enabled, failing_since AS "failingSince", send_interval_ms AS "sendIntervalMs",
  throttled_at AS "throttledAt",
  ARRAY(SELECT encrypted FROM webhooks.secret
    WHERE secret.endpoint_id = delivery.endpoint_id AND (expires_at IS NULL OR expires_at > $2)
    ORDER BY expires_at IS NULL DESC, created_at DESC) AS "encryptedSecrets"
FROM unnest($1::uuid[]) AS requested (id)
JOIN webhooks.delivery ON delivery.id = requested.id
LEFT JOIN webhooks.endpoint ON endpoint.id = delivery.endpoint_id
LEFT JOIN webhooks.event ON event.id = delivery.event_id`

/** @returns the deliveries that exist, by their ids. */
export async function readDeliveries(pool: Pool, ids: string[], now: Date): Promise<Map<string, ReadDelivery>> {
  const { rows } = await pool.query<Row>({ name: 'read deliveries', text: SQL, values: [ids, now] })
  return new Map(
    rows.map(({ mode, url, enabled, encryptedSecrets, failingSince, sendIntervalMs, throttledAt, ...row }) => {
      const rate = { sendIntervalMs, throttledAt }
      return [
        row.id,
        { ...row, endpoint: mode === null ? null : { mode, url, enabled, encryptedSecrets, failingSince, rate } },
      ]
    }),
  )
}
