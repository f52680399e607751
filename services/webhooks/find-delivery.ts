import { ApiError } from '@platen/runtime/errors.ts'
import type { DeliveryFacts } from './delivery-to-proto.ts'
import { type EndpointKey, findEndpoint } from './find-endpoint.ts'
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
  /** Null if the event was deleted after its retention time. */
  body: string | null
  /** Oldest first. */
  attemptLog: LoggedAttempt[]
}

/** The latest attempts are returned. Only repeated replays reach this limit. */
const ATTEMPTS_MAX = 100

/** One statement, so that the delivery and its attempts are consistent. The ids determine the partitions. */
const findStatement = (columns: string) => `
SELECT ${columns}, endpoint.enabled AS "endpointEnabled",
  COALESCE(example, (SELECT body FROM webhooks.event WHERE event.id = event_id)) AS body,
  (SELECT COALESCE(jsonb_agg(to_jsonb(attempt) ORDER BY number), '[]') FROM (
    SELECT number, trigger, at, duration_ms AS "durationMs", status_code AS "statusCode", error_class AS "errorClass",
      response
    FROM webhooks.attempt WHERE delivery_id = $4 ORDER BY number DESC LIMIT ${ATTEMPTS_MAX}
  ) AS attempt) AS "attemptLog"
FROM webhooks.endpoint JOIN webhooks.delivery ON endpoint_id = endpoint.id
WHERE endpoint.id = $1 AND organization_id = $2 AND mode = $3 AND delivery.id = $4`

/** @throws ApiError `not_found`, also for a delivery of another endpoint, organization or mode. */
export async function findDelivery(
  { pool, orm }: Pick<Webhooks, 'pool' | 'orm'>,
  { organizationId, mode, endpointId, deliveryId }: DeliveryKey,
): Promise<FoundDelivery> {
  const values = [endpointId, organizationId, mode, deliveryId]
  const { rows } = await pool.query<FoundDelivery>(findStatement(deliveryColumns(orm)), values)
  const [found] = rows
  if (found) return found
  await findEndpoint(orm.em.fork(), { organizationId, mode, endpointId })
  throw new ApiError('not_found', 'This webhook endpoint has no delivery with this id.')
}
