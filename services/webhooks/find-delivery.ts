import { ApiError } from '@platen/runtime/errors.ts'
import type { DeliveryFacts } from './delivery-to-proto.ts'
import { type EndpointKey, noSuchEndpoint } from './find-endpoint.ts'
import { deliveryColumns } from './list-deliveries.ts'
import type { Webhooks } from './webhooks.ts'

export interface DeliveryKey extends EndpointKey {
  deliveryId: string
}

export interface LoggedAttempt {
  number: number
  trigger: string
  at: string
  durationMs: number
  statusCode: number | null
  errorClass: string | null
  response: string | null
}

export interface FoundDelivery extends DeliveryFacts {
  endpointEnabled: boolean
  /** Null when it went with the day of its event. */
  body: string | null
  /** Oldest first. */
  attemptLog: LoggedAttempt[]
}

/** The latest, of a delivery that was replayed again and again. */
const ATTEMPTS_SHOWN_MAX = 100

/** By one statement, so that the delivery and its attempts agree. All tables are entered at the day that an id is of. */
const findStatement = (columns: string) => `
SELECT ${columns}, endpoint.enabled AS "endpointEnabled",
  COALESCE(example, (SELECT body FROM webhooks.event WHERE event.id = event_id)) AS body,
  (SELECT COALESCE(jsonb_agg(to_jsonb(attempt) ORDER BY number), '[]') FROM (
    SELECT number, trigger, at, duration_ms AS "durationMs", status_code AS "statusCode", error_class AS "errorClass", response
    FROM webhooks.attempt WHERE delivery_id = $4 ORDER BY number DESC LIMIT ${ATTEMPTS_SHOWN_MAX}
  ) AS attempt) AS "attemptLog"
FROM webhooks.endpoint JOIN webhooks.delivery ON endpoint_id = endpoint.id
WHERE endpoint.id = $1 AND organization_id = $2 AND mode = $3 AND delivery.id = $4`

/** @throws ApiError `not_found` also for one of another endpoint, organization or mode. */
export async function findDelivery(
  { pool, orm }: Pick<Webhooks, 'pool' | 'orm'>,
  { organizationId, mode, endpointId, deliveryId }: DeliveryKey,
): Promise<FoundDelivery> {
  const values = [endpointId, organizationId, mode, deliveryId]
  const { rows } = await pool.query<FoundDelivery>(findStatement(deliveryColumns(orm)), values)
  const [found] = rows
  if (found) return found
  const tenant = [endpointId, organizationId, mode]
  const { rowCount } = await pool.query(
    'SELECT FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3',
    tenant,
  )
  if (rowCount === 0) throw noSuchEndpoint()
  throw new ApiError('not_found', 'This webhook endpoint has no delivery with this id.')
}
