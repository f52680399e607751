import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CountDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'
import { lowestId } from '@platen/runtime/database/partitions.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { DeliveryStatus } from '../entities.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from '../events/read-events.ts'
import { findEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

const INTERVALS = new Map([
  ['hour', '1 hour'],
  ['day', '1 day'],
])

/** Deliveries of a count: 0.05 s, or 0.1 s before PostgreSQL has vacuumed them. */
const EXAMINED_MAX = 200_000

const COUNTS = DELIVERY_STATUS.options
  .map((status) => `count(*) FILTER (WHERE status = '${status}')::int AS ${status}`)
  .join(', ')

/**
 * Merges index-only scans of `delivery_page` in the partitions since $4, the newest delivery first. The row without a
 * start has the deliveries of the first partition before $5. `start` is computed below the LIMIT, where the planner
 * expects few values of it and hashes them; above, it sorts all deliveries. Takes no locks.
 */
export const COUNT_DELIVERIES = `
SELECT start,
  ${COUNTS},
  count(*)::int AS examined, min(created_at) AS oldest
FROM (
  SELECT status, created_at,
    CASE WHEN created_at >= $5::timestamptz THEN date_bin($6::interval, created_at, '2000-01-01T00:00:00Z') END AS start
  FROM webhooks.delivery
  WHERE endpoint_id = $1 AND id >= $4::uuid
    AND EXISTS (SELECT FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3)
  ORDER BY commit_seq DESC, id DESC LIMIT $7
) AS newest
GROUP BY start ORDER BY start`

interface Row extends Record<DeliveryStatus, number> {
  start: Date | null
  examined: number
  oldest: Date
}

/**
 * Counts the newest deliveries of an endpoint by the interval of their creation and their present status. They are
 * counted at each call, because the plot of an endpoint is read rarely, and a table of counts would have to be written
 * with each delivery and attempt.
 *
 * @param examinedMax bounds the cost.
 * @throws ApiError `not_found` if the endpoint does not exist; `invalid_request`.
 */
export async function countDeliveries(
  webhooks: Pick<Webhooks, 'orm' | 'lists' | 'clock' | 'eventRetentionMs'>,
  request: CountDeliveriesRequest,
  examinedMax = EXAMINED_MAX,
) {
  const { organizationId, mode, endpointId } = request
  const interval = INTERVALS.get(request.interval)
  if (!interval) throw new ApiError('invalid_request', '`interval`: must be `hour` or `day`.')
  if (!request.since) throw new ApiError('invalid_request', '`since` is missing.')
  await findEndpoint(webhooks.orm.em.fork(), request)
  const keptSince = webhooks.clock.now().getTime() - webhooks.eventRetentionMs
  const since = Math.max(timestampDate(request.since).getTime(), keptSince)
  const { rows } = await webhooks.lists.query<Row>(COUNT_DELIVERIES, [
    endpointId,
    organizationId,
    mode,
    lowestId(new Date(since - CLOCK_DIFFERENCE_MAX_MS)),
    new Date(since),
    interval,
    examinedMax,
  ])
  const isCut = rows.reduce((sum, { examined }) => sum + examined, 0) === examinedMax
  const oldest = Math.min(...rows.map((row) => row.oldest.getTime()))
  return {
    entries: rows.flatMap(({ start, ...counts }) => (start ? [{ ...counts, start: timestampFromDate(start) }] : [])),
    completeSince: timestampFromDate(new Date(isCut ? Math.max(since, oldest) : since)),
  }
}
